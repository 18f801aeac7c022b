package io.rivulet.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Tests of what clients see. {@code -Drivulet.brokers=3} runs them, and no others, on a cluster of three brokers. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("several-brokers")
public @interface SeveralBrokers {}

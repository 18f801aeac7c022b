package io.rivulet.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test among {@link SeveralBrokers} that does not run on a cluster. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("one-broker")
public @interface OneBroker {
    /** Why. */
    String value();
}

package io.rivulet.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the context of a test a broker in its own process:
 *
 * <pre>{@code
 * @SpringBootTest
 * @EmbeddedRivulet(topics = "orders:3")
 * class OrdersTest {
 *     @Autowired
 *     KafkaTemplate<String, String> template;
 * }
 * }</pre>
 *
 * <p>Spring Boot's properties for Kafka ({@code spring.kafka.bootstrap-servers} and those of encryption and logins) say
 * how to connect, before all others. The broker is a bean of the type {@link io.rivulet.junit.RivuletBroker}, and lives
 * as long as its context: classes with the same annotation share both, as Spring keeps contexts.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EmbeddedRivulet {
    /** Topics that exist when the context starts, as "name" or "name:partitions". */
    String[] topics() default {};

    /** Further configuration of the broker, as "key=value". */
    String[] config() default {};

    /** Whether connections are encrypted. */
    boolean tls() default false;

    /** Users, as "name:password". If there are any, clients must log in; those of Spring do so as the first one. */
    String[] users() default {};

    /** A further property for the address of the broker. */
    String bootstrapServersProperty() default "";
}

package io.rivulet.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a broker in their own process:
 *
 * <pre>{@code
 * @Rivulet(topics = "orders:3")
 * class OrdersTest {
 *     @Test
 *     void sends(RivuletClients clients) throws Exception {
 *         clients.producer().send(new ProducerRecord<>("orders", "value")).get();
 *     }
 * }
 * }</pre>
 *
 * <p>Constructors, tests and the methods around them may have parameters of the types {@link
 * io.rivulet.junit.RivuletBroker}, {@link RivuletClients} and, with {@link BootstrapServers}, String. Nested classes
 * use the broker of the class around them, unless they have this annotation, too.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(RivuletExtension.class)
public @interface Rivulet {
    /** Topics that exist when the first test starts, as "name" or "name:partitions". */
    String[] topics() default {};

    /** Further configuration of the broker, as "key=value". */
    String[] config() default {};

    /** Whether connections are encrypted. {@link RivuletClients} knows the certificate. */
    boolean tls() default false;

    /** Users, as "name:password". If there are any, clients must log in. */
    String[] users() default {};

    Lifetime lifetime() default Lifetime.CLASS;

    /** How long a broker lives. */
    enum Lifetime {
        /** One broker for each test. */
        METHOD,
        /** One broker for all tests of the class. */
        CLASS,
        /** One broker for all classes that ask for the same settings, until the last test of all has ended. */
        SHARED
    }
}

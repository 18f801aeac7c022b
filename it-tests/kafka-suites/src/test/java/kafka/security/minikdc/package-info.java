/**
 * Replaces a class of Kafka's tests that needs a Kerberos server. It is on the class path when the tests run on Kafka,
 * too.
 */
@NullMarked
package kafka.security.minikdc;

import org.jspecify.annotations.NullMarked;

/**
 * Runs the integration tests that Apache Kafka publishes against Rivulet. The tests ask for a cluster through classes
 * of Kafka's test framework. Classes of the same names, first on the class path, start one process of Rivulet instead.
 *
 * <p>Enters: the server properties of a test. Leaves: addresses, and views of a broker that answer what a client could
 * find out. Everything runs on the thread of the test.
 */
@NullMarked
package io.rivulet.it.suites;

import org.jspecify.annotations.NullMarked;

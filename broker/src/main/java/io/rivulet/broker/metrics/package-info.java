/**
 * Counters of topics and requests, and their text for Prometheus. Exists only in a broker with an HTTP listener.
 *
 * <p>Enters: what was stored, what was sent, how long calls took. Leaves: text in Prometheus' format 0.0.4, with the
 * counters of the store, the JVM and the process. {@link io.rivulet.broker.metrics.Metric} is the table of all names.
 *
 * <p>Threads: event loops add; the thread that serves HTTP makes the text.
 */
@NullMarked
package io.rivulet.broker.metrics;

import org.jspecify.annotations.NullMarked;

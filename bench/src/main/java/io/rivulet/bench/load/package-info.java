/**
 * Load on a running broker: topics, encoded requests, and clients that send them as fast as they can or at a fixed
 * rate.
 *
 * <p>Enters: a broker and the shape of the load. Leaves: counts of messages, and latencies.
 *
 * <p>Threads: each {@link io.rivulet.bench.load.Running.Load} has one of its own.
 */
@NullMarked
package io.rivulet.bench.load;

import org.jspecify.annotations.NullMarked;

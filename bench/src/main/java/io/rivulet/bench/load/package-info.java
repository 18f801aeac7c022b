/**
 * Load on a running broker, and what it measures: topics, encoded requests, clients that send them as fast as possible
 * or at a fixed rate.
 *
 * <p>Enters: a broker and the shape of the load. Leaves: {@link io.rivulet.bench.load.Figures}.
 *
 * <p>Threads: each {@link io.rivulet.bench.load.Running.Load} has its own.
 */
@NullMarked
package io.rivulet.bench.load;

import org.jspecify.annotations.NullMarked;

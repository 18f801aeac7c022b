/**
 * Reading queues for consumers: which threads may wait for the disk, how batches get into a response, and who waits for what is
 * yet to come.
 *
 * <p>Enters: queues and offsets to read from; word that queues have grown. Leaves: buffers of stamped batches.
 *
 * <p>Threads: reads run on the threads of {@link io.rivulet.broker.fetch.ReadPool}, never on an event loop.
 */
@NullMarked
package io.rivulet.broker.fetch;

import org.jspecify.annotations.NullMarked;

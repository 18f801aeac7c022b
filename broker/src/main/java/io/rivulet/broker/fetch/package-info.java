/**
 * Reading queues for consumers: sessions and what is ready in them, and the walk over it that makes an answer.
 *
 * <p>Enters: what clients want to read; word that queues have grown. Leaves: buffers of stamped batches, and who they are for.
 *
 * <p>Threads: a session belongs to the fetch that has it. Reading begins on the event loop, from the tail alone; the rest is done on
 * the threads of {@link io.rivulet.broker.call.ReadPool}.
 */
@NullMarked
package io.rivulet.broker.fetch;

import org.jspecify.annotations.NullMarked;

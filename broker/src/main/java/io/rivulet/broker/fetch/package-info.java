/**
 * The path of a Fetch request: sessions, their ready partitions, and the pass over them that makes an answer.
 *
 * <p>Enters: requests; notifications that queues have grown. Leaves: answers with buffers of stamped batches.
 *
 * <p>Threads: a session belongs to the fetch that has it. A read begins on the event loop, from the tail alone. The
 * threads of {@link io.rivulet.broker.call.ReadPool} do the rest.
 */
@NullMarked
package io.rivulet.broker.fetch;

import org.jspecify.annotations.NullMarked;

/**
 * What all APIs share: the call, the route table, read threads for long work, and the memory of answers.
 *
 * <p>Enters: a {@link io.rivulet.broker.call.Request} from a connection. Leaves: one end of each call, with an answer
 * or without one.
 *
 * <p>Threads: a call belongs to the event loop of its connection, and may be answered on any thread.
 * {@link io.rivulet.broker.call.ReadPool} has the threads that may wait for the disk.
 */
@NullMarked
package io.rivulet.broker.call;

import org.jspecify.annotations.NullMarked;

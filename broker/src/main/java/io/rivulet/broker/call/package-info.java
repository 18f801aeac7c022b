/**
 * A request on its way through the broker, whatever its API: the call, the read threads that do long work, and the memory of answers.
 *
 * <p>Enters: a {@link io.rivulet.broker.call.Request} from a connection. Leaves: one end for each call, as an answer or without one.
 *
 * <p>Threads: a call belongs to the event loop of its connection, and may be answered from any thread. {@link
 * io.rivulet.broker.call.ReadPool} has the threads that may wait for the disk.
 */
@NullMarked
package io.rivulet.broker.call;

import org.jspecify.annotations.NullMarked;

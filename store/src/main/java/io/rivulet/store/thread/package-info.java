/**
 * Background threads: each repeats one piece of work when it is signalled.
 *
 * <p>In: a name, the work, and the failure latch that gets what the work throws. Out: a {@link
 * io.rivulet.store.thread.Workers.Worker} to signal and to close.
 *
 * <p>Threads: one daemon thread for each piece of work. Tests run the work in place.
 */
@NullMarked
package io.rivulet.store.thread;

import org.jspecify.annotations.NullMarked;

/**
 * The failure of a store, or of the broker around it: one latch for all threads. Beside it, a limit for log lines about
 * what clients can repeat.
 *
 * <p>In: the first {@link Throwable} that a thread can't handle. Out: calls to all listeners, which stop or wake their
 * threads.
 *
 * <p>Threads: any. docs/decisions/0025-fail-stop.md says what is a failure and what follows.
 */
@NullMarked
package io.rivulet.store.failure;

import org.jspecify.annotations.NullMarked;

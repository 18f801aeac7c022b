/**
 * What surrounds the rooms of a broker and is not a function of its log: the clock, threads, random ids.
 *
 * <p>In: nothing. Out: an {@link io.rivulet.broker.environment.Environment} that the broker passes to its rooms. In
 * production these are the clock and the threads of the machine. A simulation decides all of them by a seed (docs
 * decision 0057).
 *
 * <p>Threads: all of it is thread-safe.
 */
@NullMarked
package io.rivulet.broker.environment;

import org.jspecify.annotations.NullMarked;

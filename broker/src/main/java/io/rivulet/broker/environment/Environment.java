package io.rivulet.broker.environment;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;

/**
 * The clock, threads and random ids of a broker. Immutable.
 *
 * @param clock shared with the store
 * @param failures shared with the store
 */
public record Environment(StoreClock clock, FailureLatch failures, Threads threads, RandomIds ids) {
    /** That of the machine. */
    public static Environment of(StoreClock clock, FailureLatch failures) {
        return new Environment(clock, failures, Threads.OWN, RandomIds.OF_THE_MACHINE);
    }
}

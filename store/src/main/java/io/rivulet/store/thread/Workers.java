package io.rivulet.store.thread;

import io.rivulet.store.failure.FailureLatch;

/**
 * Starts background work. {@link Workers#threads} is for production. A test may run the work in place, so that the
 * order of all I/O is a function of its seed.
 */
public interface Workers {
    /** How long {@link Worker#close} waits. A step of the work takes less, unless it hangs. */
    long CLOSE_MILLIS = 30_000;

    /** After this time without an answer, a thread that is to end gives up its wait: so it ends in time. */
    long CLOSE_WAIT_MILLIS = CLOSE_MILLIS / 2;

    /** Runs {@code work} soon after each {@link Worker#signal()}, never twice at the same time. */
    Worker start(String name, Runnable work);

    /** Runs {@code work} about once a second, until it is closed. Tests call the work themselves. */
    default AutoCloseable everySecond(String name, Runnable work) {
        return () -> {};
    }

    /** One piece of work, repeated. */
    interface Worker extends AutoCloseable {
        /** Runs the work once more; cheap, and never waits for the work. */
        void signal();

        /** Returns when all signalled work is done; it will not run again. */
        @Override
        void close();
    }

    /** A daemon thread for each piece of work. Whatever the work throws is a failure; the thread continues. */
    static Workers threads(FailureLatch failures) {
        return new Workers() {
            @Override
            public Worker start(String name, Runnable work) {
                return new WorkerThread(name, work, failures);
            }

            @Override
            public AutoCloseable everySecond(String name, Runnable work) {
                return new TickThread(name, failures.guarded(work), failures);
            }
        };
    }
}

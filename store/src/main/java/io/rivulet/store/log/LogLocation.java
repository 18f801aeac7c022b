package io.rivulet.store.log;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.thread.Workers;
import java.io.IOException;

/** Where the commit log of a store is, and of which kind. The store closes it, after its log. */
public interface LogLocation extends AutoCloseable {
    /**
     * Whether a log was created here.
     *
     * @throws IOException if there is only a part of one, or if nobody can say
     */
    boolean exists() throws IOException;

    /**
     * Opens the log, or creates it. A log with content stays unchanged until {@link CommitLog#begin}.
     *
     * @param wakeUp see {@link CommitLog}
     * @param failures shared with others: after the first failure of any of them, nothing is written
     */
    CommitLog open(LogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures) throws IOException;

    /** Lets go of what leads to the log, such as connections. */
    @Override
    default void close() throws IOException {}
}

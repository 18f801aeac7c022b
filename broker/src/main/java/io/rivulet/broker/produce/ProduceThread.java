package io.rivulet.broker.produce;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.environment.Environment;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OnDemandThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread for produce requests that are too much work for an event loop. It ends when it is idle. A connection pauses
 * while one of its requests is here. So the order is kept, and at most one request of each connection waits.
 *
 * <p>Thread-safe.
 */
final class ProduceThread {
    private static final Logger LOG = LoggerFactory.getLogger(ProduceThread.class);
    private static final long IDLE_SECONDS = 10;

    private final FailureLatch failures;
    private final ExecutorService thread;

    ProduceThread(String name, ThreadFactory factory, Environment environment) {
        this.failures = environment.failures();
        this.thread =
                environment.threads().executor(name, failures, () -> OnDemandThreads.of(1, IDLE_SECONDS, factory));
    }

    /** Runs the work, unless the broker is closing: then the call is discarded. */
    void execute(Call call, Runnable work) {
        try {
            thread.execute(failures.guarded(work));
        } catch (RejectedExecutionException e) {
            LOG.debug("A request was discarded because the broker is closing");
            call.discard();
        }
    }

    /** Runs the action on the event loop, then resumes the connection. False if the event loop has ended. */
    static boolean resume(Call call, Runnable action) {
        return call.onEventLoop(() -> {
            action.run();
            call.origin().resume();
        });
    }

    void close() {
        thread.shutdown();
    }
}

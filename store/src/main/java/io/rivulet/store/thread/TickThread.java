package io.rivulet.store.thread;

import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A daemon thread that runs a short action about once a second. */
final class TickThread implements AutoCloseable {
    private final ScheduledExecutorService executor;

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the executor
    TickThread(String name, Runnable work, FailureLatch failures) {
        executor = Executors.newSingleThreadScheduledExecutor(runnable -> failures.thread(name, runnable));
        executor.scheduleWithFixedDelay(work, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

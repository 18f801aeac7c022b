package io.rivulet.broker.environment;

import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * How the rooms of a broker get work done elsewhere. A simulation runs the work in place, in an order that follows from
 * a seed. Event loops are not here: Netty has its own seam for them. Thread-safe.
 */
public interface Threads {
    /** Each room starts the threads that it asks for. */
    Threads OWN = new Threads() {
        @Override
        public ExecutorService executor(String name, FailureLatch failures, Supplier<ExecutorService> own) {
            return own.get();
        }

        @Override
        public Repeater repeater(String name, FailureLatch failures, Repeated work) {
            return new RepeaterThread(name, failures, work);
        }

        @Override
        public boolean await(CompletableFuture<?> result, long millis) throws InterruptedException {
            try {
                Object unused = result.get(millis, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // The caller looks at the result.
            }
            return result.isDone();
        }
    };

    /**
     * An executor for tasks that may wait for the disk or take long.
     *
     * @param own makes the executor that has threads of its own
     */
    ExecutorService executor(String name, FailureLatch failures, Supplier<ExecutorService> own);

    /** Repeats the work from {@link Repeater#start} on. */
    Repeater repeater(String name, FailureLatch failures, Repeated work);

    /** Waits so long for a result that others make. Returns whether it is there, or has failed. */
    boolean await(CompletableFuture<?> result, long millis) throws InterruptedException;
}

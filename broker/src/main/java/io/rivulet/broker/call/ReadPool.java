package io.rivulet.broker.call;

import io.rivulet.broker.environment.Threads;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.FailureLatch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few threads that may wait for the disk, each with its own reader. Callers bound the number of tasks: a connection
 * has one fetch in progress.
 *
 * <p>Thread-safe. Memory: a reader for each thread and each event loop. They go with this pool, because event loops
 * live on when the store is closed and another one takes its place.
 */
public final class ReadPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadPool.class);
    private static final long CLOSE_SECONDS = 10;

    private final FailureLatch failures;
    private final ExecutorService threads;
    private final Store store;
    private final Map<Thread, StoreReader> readers = new ConcurrentHashMap<>();

    public ReadPool(Store store, int threadCount, FailureLatch failures) {
        this(store, threadCount, failures, Threads.OWN);
    }

    public ReadPool(Store store, int threadCount, FailureLatch failures, Threads environment) {
        this("reader", Thread.MIN_PRIORITY, store, threadCount, failures, environment);
    }

    /**
     * A pool for tasks that take the lock of a share group. Event loops and the log writer wait for that lock, so a
     * thread that has it must not wait for all others to leave it a core.
     */
    public static ReadPool ofShareGroups(Store store, int threadCount, FailureLatch failures, Threads environment) {
        return new ReadPool("share-reader", Thread.NORM_PRIORITY, store, threadCount, failures, environment);
    }

    private ReadPool(
            String name, int priority, Store store, int threadCount, FailureLatch failures, Threads environment) {
        this.failures = failures;
        AtomicInteger number = new AtomicInteger();
        this.store = store;
        this.threads = environment.executor(
                name,
                failures,
                () -> new ThreadPoolExecutor(
                        threadCount,
                        threadCount,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> thread(name + "-" + number.incrementAndGet(), priority, task)));
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on the priority
    private Thread thread(String name, int priority, Runnable task) {
        Thread thread = failures.thread(name, task);
        thread.setPriority(priority);
        return thread;
    }

    /**
     * Runs the task with a reader. An Error fails the broker.
     *
     * @param failed called with any other failure, on the same thread; it must notify those that wait for the task
     * @return false after the pool is closed; then the task does not run
     */
    public boolean read(Consumer<StoreReader> task, Consumer<RuntimeException> failed) {
        try {
            threads.execute(() -> run(task, failed));
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("A read was refused because the broker is closing");
            return false;
        }
    }

    /** Runs the task for a call. A failure fails the call. After the pool is closed, the call is discarded. */
    public void read(Call call, Consumer<StoreReader> task) {
        if (!read(reader -> CallMeter.run(call.meter(), () -> task.accept(reader)), call::fail)) {
            call.discard();
        }
    }

    private void run(Consumer<StoreReader> task, Consumer<RuntimeException> failed) {
        try {
            task.accept(here());
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    /** The calling thread's own reader. An event loop reads only the tail with it. */
    public StoreReader here() {
        Thread thread = Thread.currentThread();
        StoreReader reader = readers.get(thread);
        if (reader == null) {
            reader = store.reader();
            readers.put(thread, reader);
        }
        return reader;
    }

    /** Returns when no task is running. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Reads are still running after {} s", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.rivulet.store.failure;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that start with work, and end when there was none for a while. Stateless. */
public final class OnDemandThreads {
    private OnDemandThreads() {}

    /** One thread whose exceptions are failures. It gives way to others. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    public static ThreadPoolExecutor background(String name, long idleSeconds, FailureLatch failures) {
        return of(1, idleSeconds, work -> {
            Thread thread = failures.thread(name, work);
            thread.setPriority(Thread.MIN_PRIORITY);
            return thread;
        });
    }

    /** Threads whose exceptions are failures. Each has the name and a number. */
    public static ThreadPoolExecutor numbered(String name, int threads, long idleSeconds, FailureLatch failures) {
        AtomicInteger number = new AtomicInteger();
        return of(threads, idleSeconds, work -> failures.thread(name + "-" + number.incrementAndGet(), work));
    }

    public static ThreadPoolExecutor of(int threads, long idleSeconds, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}

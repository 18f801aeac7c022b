package io.rivulet.broker.produce;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocal;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks produce requests whose records are too much for an event loop: the producer decides what it costs to decompress a batch. One
 * thread works some milliseconds on each. Those that take longer go to a second thread, where they delay only each other. The threads end
 * when they are idle. A connection whose request is here starts no further ones. So order is kept, and at most one request of each
 * connection waits.
 *
 * <p>Thread-safe.
 */
final class LongChecks implements AutoCloseable {
    /** What an event loop does itself, in bytes of records: less than a millisecond. */
    static final long SHORT_COST = 256 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(LongChecks.class);
    private static final long MIDDLE_COST = 8 << 20;
    private static final long IDLE_SECONDS = 10;

    private final FailureLatch failures;
    private final StoreClock clock;
    private final FastThreadLocal<BatchChecks> checks;
    private final ThreadPoolExecutor middle;
    private final ThreadPoolExecutor longest;

    /** @param maxDecompressedBytes what the records of one batch may take */
    LongChecks(int maxDecompressedBytes, StoreClock clock, FailureLatch failures) {
        this.failures = failures;
        this.clock = clock;
        this.checks = BatchChecks.perThread(maxDecompressedBytes);
        this.middle = thread("produce-checks", Thread.NORM_PRIORITY, failures);
        this.longest = thread("long-produce-checks", Thread.MIN_PRIORITY, failures);
    }

    private static ThreadPoolExecutor thread(String name, int priority, FailureLatch failures) {
        ThreadFactory plain = new DefaultThreadFactory(name, true, priority);
        ThreadPoolExecutor made =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = plain.newThread(task);
                    failures.watch(thread);
                    return thread;
                });
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /** Called on the connection's event loop, which does the short checks itself.  */
    void check(ProduceCheck check) {
        if (check.run(checksNow(), SHORT_COST)) {
            check.submit();
        } else {
            check.call().origin().pause();
            execute(middle, check, MIDDLE_COST);
        }
    }

    /** Those of this thread, with the time of now. */
    private BatchChecks checksNow() {
        BatchChecks own = checks.get();
        own.time(clock);
        return own;
    }

    private void execute(ThreadPoolExecutor thread, ProduceCheck check, long maxCost) {
        try {
            thread.execute(failures.guarded(() -> run(check, maxCost)));
        } catch (RejectedExecutionException e) {
            LOG.debug("A request came when the broker was closing");
            check.call().discard();
        }
    }

    private void run(ProduceCheck check, long maxCost) {
        try {
            if (!check.run(checksNow(), maxCost)) {
                execute(longest, check, Long.MAX_VALUE);
            } else if (!check.call().onEventLoop(() -> submit(check))) {
                check.call().discard();
            }
        } catch (RuntimeException e) {
            check.call().fail("its batches could not be checked", e);
        }
    }

    private static void submit(ProduceCheck check) {
        try {
            check.submit();
        } catch (RuntimeException e) {
            check.call().fail(e);
            return;
        }
        check.call().origin().resume();
    }

    @Override
    public void close() {
        middle.shutdown();
        longest.shutdown();
    }
}

package io.rivulet.broker.produce;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.rivulet.broker.environment.Environment;
import io.rivulet.store.time.StoreClock;
import java.util.concurrent.ThreadFactory;

/**
 * Checks produce requests whose records are too much work for an event loop: the producer decides how much work it is
 * to decompress a batch. One thread works some milliseconds on each request. Longer ones go to a second thread, where
 * they delay only each other.
 *
 * <p>Thread-safe.
 */
final class LongChecks implements AutoCloseable {
    /** The most that an event loop checks itself, in bytes of records: less than a millisecond. */
    static final long SHORT_COST = 256 << 10;

    private static final long MIDDLE_COST = 8 << 20;

    private final StoreClock clock;
    private final int maxDecompressedBytes;
    private final ProduceThread middle;
    private final ProduceThread longest;

    /** @param maxDecompressedBytes the limit of the records of one batch */
    LongChecks(int maxDecompressedBytes, Environment environment) {
        this.clock = environment.clock();
        this.maxDecompressedBytes = maxDecompressedBytes;
        this.middle = thread("produce-checks", Thread.NORM_PRIORITY, environment);
        this.longest = thread("long-produce-checks", Thread.MIN_PRIORITY, environment);
    }

    private static ProduceThread thread(String name, int priority, Environment environment) {
        ThreadFactory plain = new DefaultThreadFactory(name, true, priority);
        ThreadFactory watched = task -> {
            Thread thread = plain.newThread(task);
            environment.failures().watch(thread);
            return thread;
        };
        return new ProduceThread(name, watched, environment);
    }

    /** Called on the connection's event loop, which does short checks itself. */
    void check(ProduceCheck check) {
        if (check.run(checksNow(), SHORT_COST)) {
            check.submit();
        } else {
            check.call().origin().pause();
            execute(middle, check, MIDDLE_COST);
        }
    }

    /** The checks of this thread, with the present time. */
    private BatchChecks checksNow() {
        BatchChecks own = BatchChecks.ofThread(maxDecompressedBytes);
        own.time(clock);
        return own;
    }

    private void execute(ProduceThread thread, ProduceCheck check, long maxCost) {
        thread.execute(check.call(), () -> run(check, maxCost));
    }

    private void run(ProduceCheck check, long maxCost) {
        try {
            if (!check.run(checksNow(), maxCost)) {
                execute(longest, check, Long.MAX_VALUE);
            } else if (!ProduceThread.resume(check.call(), check::submit)) {
                check.call().discard();
            }
        } catch (RuntimeException e) {
            check.call().fail("its batches could not be checked", e);
        }
    }

    @Override
    public void close() {
        middle.close();
        longest.close();
    }
}

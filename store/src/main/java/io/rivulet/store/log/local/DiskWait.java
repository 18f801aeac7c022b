package io.rivulet.store.log.local;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for a thread that uses the disk. As long as the log is open, a wait has no limit: a disk may stall, and a
 * process may be frozen. When the log closes, a disk that does not respond must not keep it from that.
 *
 * <p>Thread-safe.
 */
final class DiskWait {
    /** A wait without a limit looks again after this time, so it soon sees that it has one. */
    private static final long LOOK_MILLIS = 1000;

    private final long patienceMillis;
    private volatile boolean limited;

    /** @param patienceMillis how long a wait that has a limit lasts without progress */
    DiskWait(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /** From now on waits have a limit, those under way too. */
    void limit() {
        limited = true;
    }

    /**
     * Returns when the condition is true. An interrupt is deferred until then.
     *
     * @param monitor notified when something has changed
     * @param progress changes while the disk responds, however slowly
     * @throws IOException if waits have a limit and the disk has not responded for so long
     */
    void until(Object monitor, BooleanSupplier done, LongSupplier progress) throws IOException {
        boolean interrupted = false;
        long seen = progress.getAsLong();
        long seenNanos = System.nanoTime();
        boolean answers = true;
        synchronized (monitor) {
            while (!done.getAsBoolean() && answers) {
                boolean wasLimited = limited;
                try {
                    monitor.wait(Math.max(1, Math.min(LOOK_MILLIS, patienceMillis)));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                long now = progress.getAsLong();
                if (now != seen || !wasLimited) {
                    seen = now;
                    seenNanos = System.nanoTime();
                }
                answers = System.nanoTime() - seenNanos < TimeUnit.MILLISECONDS.toNanos(patienceMillis);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!done.getAsBoolean()) {
            throw new IOException("the disk has not responded for " + patienceMillis + " ms");
        }
    }
}

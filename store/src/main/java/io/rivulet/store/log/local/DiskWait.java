package io.rivulet.store.log.local;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Waits for a thread that uses the disk. Stateless. */
final class DiskWait {
    private DiskWait() {}

    /**
     * Returns when the condition is true. An interrupt is deferred until then.
     *
     * @param monitor notified when something has changed
     * @param progress changes while the disk responds, however slowly
     * @throws IOException if the disk has not responded for this time
     */
    static void until(Object monitor, BooleanSupplier done, LongSupplier progress, long patienceMillis)
            throws IOException {
        boolean interrupted = false;
        long seen = progress.getAsLong();
        long seenNanos = System.nanoTime();
        boolean answers = true;
        synchronized (monitor) {
            while (!done.getAsBoolean() && answers) {
                try {
                    monitor.wait(Math.max(1, patienceMillis));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                long now = progress.getAsLong();
                if (now != seen) {
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

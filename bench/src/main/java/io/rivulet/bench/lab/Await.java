package io.rivulet.bench.lab;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits on the caller's thread. Stateless. */
public final class Await {
    private Await() {}

    /** Something that becomes true. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws IOException, BrokerFailedException;
    }

    /** Builds the message for a condition that does not hold in time. */
    @FunctionalInterface
    public interface Complaint {
        String text() throws IOException;
    }

    /** Checks the condition until it holds, with this pause between two checks. */
    public static void until(Condition condition, long seconds, long pauseMillis, Complaint complaint)
            throws IOException, BrokerFailedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.holds()) {
            if (System.nanoTime() > endNanos) {
                throw new BrokerFailedException("after " + seconds + " s " + complaint.text());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        }
    }

    /** Waits until {@link System#nanoTime} reaches this value. */
    public static void nanoTime(long dueNanos) {
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}

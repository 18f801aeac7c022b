package io.rivulet.broker.call;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The bytes of answers that wait to be written, over all connections. A share is an eighth of what is free at most, so that clients
 * that are slow to read what they asked for get less and less. When next to nothing is free, a fetch waits until something was
 * written; and answers that nobody has taken for a while are given up with their connections. A client that is served so slowly would
 * give up by itself: its request.timeout.ms is 30 seconds.
 *
 * <p>The bound is soft by one batch for each fetch under way: the first batch of an answer is sent whatever its size.
 *
 * <p>Thread-safe, guarded by its monitor; callbacks run outside of it.
 */
public final class ResponseMemory {
    /** Nobody gets less, unless it is nothing. */
    static final int SMALLEST_SHARE_BYTES = 64 << 10;

    private static final int SHARES = 8;

    /** An answer on its way to the socket. Guarded by the monitor of the memory. */
    public static final class Answer {
        private final long bytes;
        private final long sinceNanos;
        private final Runnable giveUp;

        private Answer(long bytes, long sinceNanos, Runnable giveUp) {
            this.bytes = bytes;
            this.sinceNanos = sinceNanos;
            this.giveUp = giveUp;
        }
    }

    /** @param takes whether the bytes are taken before the action runs */
    private record Waiter(long bytes, boolean takes, Runnable action) {}

    private final long maxBytes;
    private final long patienceNanos;
    private final LongSupplier clockNanos;
    private long usedBytes;
    private final List<Waiter> waiting = new ArrayList<>();
    /** The oldest first. */
    private final Set<Answer> answers = new LinkedHashSet<>();

    /** @param patienceMillis how long an answer may take to be written while others wait for memory */
    public ResponseMemory(long maxBytes, long patienceMillis, LongSupplier clockNanos) {
        this.maxBytes = maxBytes;
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        this.clockNanos = clockNanos;
    }

    /** Takes as much as wanted, or a share; 0 when nothing is left: then try again {@link #whenFree}. */
    public synchronized int take(int wantedBytes) {
        long free = maxBytes - usedBytes;
        if (free < SMALLEST_SHARE_BYTES) {
            return 0;
        }
        int share = (int) Math.min(wantedBytes, Math.max(free / SHARES, SMALLEST_SHARE_BYTES));
        usedBytes += share;
        return share;
    }

    /**
     * Takes all of it, once it is free; what is more than there ever is, when nothing else is taken.
     *
     * @param taken runs then: at once, or later on any thread
     * @return false if it has to wait
     */
    public boolean takeAll(long bytes, Runnable taken) {
        return whenFree(new Waiter(bytes, true, taken));
    }

    /** Runs the action once, on any thread, when it may be worth to try {@link #take} again: perhaps at once. */
    public void whenFree(Runnable action) {
        boolean unused = whenFree(new Waiter(SMALLEST_SHARE_BYTES, false, action));
    }

    private boolean whenFree(Waiter waiter) {
        List<Runnable> callbacks = new ArrayList<>(1);
        boolean free;
        synchronized (this) {
            free = grant(waiter, callbacks);
            if (!free) {
                waiting.add(waiter);
                giveUpOverdue(callbacks);
            }
        }
        callbacks.forEach(Runnable::run);
        return free;
    }

    private boolean isFree(long bytes) {
        return bytes <= maxBytes - usedBytes || usedBytes == 0;
    }

    private boolean grant(Waiter waiter, List<Runnable> callbacks) {
        if (!isFree(waiter.bytes)) {
            return false;
        }
        usedBytes += waiter.takes ? waiter.bytes : 0;
        callbacks.add(waiter.action);
        return true;
    }

    /** To be called once a second by those who wait. Answers whether anybody does. */
    public boolean closeOverdue() {
        List<Runnable> callbacks = new ArrayList<>(0);
        synchronized (this) {
            if (waiting.isEmpty()) {
                return false;
            }
            giveUpOverdue(callbacks);
        }
        callbacks.forEach(Runnable::run);
        return true;
    }

    private void giveUpOverdue(List<Runnable> callbacks) {
        long now = clockNanos.getAsLong();
        for (Answer answer : answers) {
            if (now - answer.sinceNanos <= patienceNanos) {
                break;
            }
            callbacks.add(answer.giveUp);
        }
    }

    /** So much of what was taken is not needed. */
    public void giveBack(long bytes) {
        add(-bytes);
    }

    /** An answer goes to its connection: so much it holds of what was {@code taken}. It ends with {@link #written}. */
    public Answer send(long taken, long bytes, Runnable giveUp) {
        Answer answer = new Answer(bytes, clockNanos.getAsLong(), giveUp);
        synchronized (this) {
            answers.add(answer);
        }
        add(bytes - taken);
        return answer;
    }

    /** The answer was written, or never will be. */
    public void written(Answer answer) {
        synchronized (this) {
            answers.remove(answer);
        }
        add(-answer.bytes);
    }

    private void add(long bytes) {
        List<Runnable> callbacks = new ArrayList<>(0);
        synchronized (this) {
            usedBytes += bytes;
            if (bytes < 0 && !waiting.isEmpty()) {
                // In the order in which they came; who needs too much is passed over.
                waiting.removeIf(waiter -> grant(waiter, callbacks));
            }
        }
        callbacks.forEach(Runnable::run);
    }

    /** Whether {@link #whenFree} would wait. */
    public synchronized boolean isFull() {
        return !isFree(SMALLEST_SHARE_BYTES);
    }

    public long maxBytes() {
        return maxBytes;
    }

    public synchronized long usedBytes() {
        return usedBytes;
    }
}

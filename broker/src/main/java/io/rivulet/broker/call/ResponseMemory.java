package io.rivulet.broker.call;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of answers that wait to be written, over all connections. A share is at most an eighth of the free memory,
 * so clients that read their answers slowly get smaller and smaller shares. When almost nothing is free, a fetch waits
 * until an answer is written. Answers that are not read for a while are given up, with their connections. Such a client
 * would give up by itself: its request.timeout.ms is 30 seconds.
 *
 * <p>One batch for each read thread may exceed the bound, because the first batch of an answer is sent whatever its
 * size. While the bound is exceeded, no read of a fetch begins. A huge batch, of more than 4 MiB, has memory beside the
 * bound, for one answer or one search at a time.
 *
 * <p>The first waiter that needs all of its bytes collects half of what is given back. So smaller ones, which are
 * served meanwhile, can't keep it waiting for ever.
 *
 * <p>Thread-safe, guarded by its monitor. Callbacks run outside of it.
 */
public final class ResponseMemory {
    /** A share is not smaller, except when nothing is free. */
    public static final int SMALLEST_SHARE_BYTES = 64 << 10;

    private static final int SHARES = 8;
    /** A client may take the time for a huge batch that it needs at this speed. */
    private static final long HUGE_BYTES_PER_SECOND = 512 << 10;

    /** An answer on its way to the socket. Guarded by the monitor of the memory. */
    public static final class Answer {
        private final long bytes;
        private final long hugeBytes;
        private final long sinceNanos;
        private final Runnable giveUp;

        private Answer(long bytes, long hugeBytes, long sinceNanos, Runnable giveUp) {
            this.bytes = bytes;
            this.hugeBytes = hugeBytes;
            this.sinceNanos = sinceNanos;
            this.giveUp = giveUp;
        }
    }

    /** A caller that waits for memory. Immutable. */
    public static final class Waiter {
        private final long bytes;
        /** Whether to take the bytes before the action runs. */
        private final boolean takes;

        private final Runnable action;

        private Waiter(long bytes, boolean takes, Runnable action) {
            this.bytes = bytes;
            this.takes = takes;
            this.action = action;
        }
    }

    private final long maxBytes;
    private final long patienceNanos;
    private final LongSupplier clockNanos;
    private long usedBytes;
    /** In the order of arrival. */
    private final Set<Waiter> waiting = new LinkedHashSet<>();
    /** The first waiter that takes bytes. */
    private @Nullable Waiter collecting;
    /** What it has so far, beside the used bytes. At most the bytes that it needs, and all that can be used. */
    private long collectedBytes;

    private final Set<Waiter> hugeWaiting = new LinkedHashSet<>();
    private boolean hugeTaken;
    /** The oldest first. */
    private final Set<Answer> answers = new LinkedHashSet<>();

    /** @param patienceMillis how long the client may take to read an answer while others wait for memory */
    public ResponseMemory(long maxBytes, long patienceMillis, LongSupplier clockNanos) {
        this.maxBytes = maxBytes;
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        this.clockNanos = clockNanos;
    }

    /** Takes the wanted bytes, or a share. Returns 0 if nothing is free; then try again {@link #whenFree}. */
    public synchronized int take(int wantedBytes) {
        long free = freeBytes();
        if (free < SMALLEST_SHARE_BYTES) {
            return 0;
        }
        int share = (int) Math.min(wantedBytes, Math.max(free / SHARES, SMALLEST_SHARE_BYTES));
        usedBytes += share;
        return share;
    }

    /**
     * Takes all bytes when they are free. More bytes than the limit are taken when nothing else is taken.
     *
     * @param taken runs when the bytes are taken: immediately, or later on any thread
     * @return false if it has to wait
     */
    public boolean takeAll(long bytes, Runnable taken) {
        return whenFree(new Waiter(bytes, true, taken));
    }

    /**
     * Runs the action once, on any thread, when {@link #take} may succeed: perhaps immediately. Until then the waiter
     * is kept, and all that its action refers to, so a caller that waits no more must {@link #stopWaiting}.
     */
    public Waiter whenFree(Runnable action) {
        Waiter waiter = new Waiter(SMALLEST_SHARE_BYTES, false, action);
        boolean unused = whenFree(waiter);
        return waiter;
    }

    /**
     * Forgets a waiter of {@link #whenFree} or {@link #takeHuge}.
     *
     * @return false if its action has run, or is about to
     */
    public synchronized boolean stopWaiting(Waiter waiter) {
        return waiting.remove(waiter) || hugeWaiting.remove(waiter);
    }

    /** How many wait. */
    public synchronized int waiting() {
        return waiting.size() + hugeWaiting.size();
    }

    private boolean whenFree(Waiter waiter) {
        List<Runnable> callbacks = new ArrayList<>(1);
        boolean free;
        synchronized (this) {
            free = grant(waiter, callbacks);
            if (!free) {
                waiting.add(waiter);
                collectFor(waiter);
                giveUpOverdue(callbacks);
            }
        }
        callbacks.forEach(Runnable::run);
        return free;
    }

    private long freeBytes() {
        return maxBytes - usedBytes - collectedBytes;
    }

    private boolean isFree(long bytes) {
        return bytes <= freeBytes() || usedBytes + collectedBytes == 0;
    }

    /** More bytes than the limit are free when nothing is used. */
    private boolean isFreeFor(Waiter waiter) {
        return waiter == collecting
                ? waiter.bytes <= freeBytes() + collectedBytes || usedBytes == 0
                : isFree(waiter.bytes);
    }

    private boolean grant(Waiter waiter, List<Runnable> callbacks) {
        if (!isFreeFor(waiter)) {
            return false;
        }
        if (waiter == collecting) {
            collecting = null;
            collectedBytes = 0;
        }
        usedBytes += waiter.takes ? waiter.bytes : 0;
        callbacks.add(waiter.action);
        return true;
    }

    private void collectFor(Waiter waiter) {
        if (waiter.takes && collecting == null) {
            collecting = waiter;
        }
    }

    /** Passes a part of the bytes that were given back to the waiter that collects. */
    private void collect(long givenBack) {
        if (collecting != null) {
            long missing = Math.min(collecting.bytes, maxBytes) - collectedBytes;
            collectedBytes += Math.max(0, Math.min(Math.min(missing, givenBack - givenBack / 2), freeBytes()));
        }
    }

    /** Must be called once a second while answers wait. Returns whether any answer waits. */
    public boolean closeOverdue() {
        List<Runnable> callbacks = new ArrayList<>(0);
        synchronized (this) {
            if (waiting.isEmpty() && hugeWaiting.isEmpty()) {
                return false;
            }
            if (waiting.isEmpty()) {
                giveUpOverdueHuge(callbacks);
            } else {
                giveUpOverdue(callbacks);
            }
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
            if (now - answer.sinceNanos > patienceNanos(answer)) {
                callbacks.add(answer.giveUp);
            }
        }
    }

    private void giveUpOverdueHuge(List<Runnable> callbacks) {
        long now = clockNanos.getAsLong();
        for (Answer answer : answers) {
            if (answer.hugeBytes > 0 && now - answer.sinceNanos > patienceNanos(answer)) {
                callbacks.add(answer.giveUp);
            }
        }
    }

    private long patienceNanos(Answer answer) {
        return patienceNanos + TimeUnit.SECONDS.toNanos(1) * answer.hugeBytes / HUGE_BYTES_PER_SECOND;
    }

    /** Takes the bytes of a batch that is larger than its share, and that was read already. Never waits. */
    public synchronized void takeAnyway(long bytes) {
        usedBytes += bytes;
    }

    /** Whether answers have more than the limit. Then no further batch may be read that could exceed its share. */
    public synchronized boolean isExceeded() {
        return usedBytes > maxBytes;
    }

    /** Releases bytes that are not needed. */
    public void giveBack(long bytes) {
        add(-bytes);
    }

    /**
     * Takes the memory for one huge batch, which is not a part of the limit: one answer or search at a time has it.
     *
     * @param taken runs when the memory is taken: immediately, or later on any thread
     * @return the waiter, which a caller that has gone must {@link #stopWaiting}
     */
    public Waiter takeHuge(Runnable taken) {
        Waiter waiter = new Waiter(0, true, taken);
        List<Runnable> callbacks = new ArrayList<>(1);
        synchronized (this) {
            if (hugeTaken) {
                hugeWaiting.add(waiter);
                giveUpOverdueHuge(callbacks);
            } else {
                hugeTaken = true;
                callbacks.add(taken);
            }
        }
        callbacks.forEach(Runnable::run);
        return waiter;
    }

    /** Releases the memory for a huge batch, or passes it to the next waiter. */
    public void giveBackHuge() {
        Waiter next = null;
        synchronized (this) {
            Iterator<Waiter> first = hugeWaiting.iterator();
            if (first.hasNext()) {
                next = first.next();
                first.remove();
            }
            hugeTaken = next != null;
        }
        if (next != null) {
            next.action.run();
        }
    }

    /**
     * An answer is passed to its connection. It keeps {@code bytes} of the {@code taken} bytes until {@link #written}.
     */
    public Answer send(long taken, long bytes, Runnable giveUp) {
        return send(taken, 0, bytes, giveUp);
    }

    /** As above. An answer with {@code hugeBytes} has the memory for a huge batch, and takes nothing else. */
    public Answer send(long taken, long hugeBytes, long bytes, Runnable giveUp) {
        long kept = hugeBytes > 0 ? 0 : bytes;
        Answer answer = new Answer(kept, hugeBytes, clockNanos.getAsLong(), giveUp);
        synchronized (this) {
            answers.add(answer);
        }
        add(kept - taken);
        return answer;
    }

    /** The answer is written or discarded. */
    public void written(Answer answer) {
        synchronized (this) {
            answers.remove(answer);
        }
        add(-answer.bytes);
        if (answer.hugeBytes > 0) {
            giveBackHuge();
        }
    }

    private void add(long bytes) {
        List<Runnable> callbacks = new ArrayList<>(0);
        synchronized (this) {
            usedBytes += bytes;
            if (bytes < 0 && !waiting.isEmpty()) {
                collect(-bytes);
                // In the order of arrival; a waiter that needs too much is skipped.
                waiting.removeIf(waiter -> {
                    collectFor(waiter);
                    return grant(waiter, callbacks);
                });
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

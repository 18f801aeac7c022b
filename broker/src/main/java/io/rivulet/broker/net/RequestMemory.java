package io.rivulet.broker.net;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of all requests, over all connections: of those that are arriving and those that are not answered yet. A
 * request is charged for the memory that its bytes occupy, not for the length that its client announces. When the
 * memory is used up, nothing fails: sockets are not read until some memory is free.
 *
 * <p>Requests of up to 1 MiB are served before larger ones, and a quarter of the memory is reserved for them. The size
 * of the largest request is reserved for the request that has waited longest. So one request can always complete, and
 * there is no deadlock.
 *
 * <p>While requests wait for memory, a connection is closed if its request is overdue: after the patience, and the time
 * that the request takes at {@link #SLOWEST_BYTES_PER_SECOND}. The time that it waits for memory does not count.
 *
 * <p>A quarter of the largest request may exceed the bound while that request is copied into a larger buffer.
 *
 * <p>Thread-safe, guarded by its monitor. Callbacks run outside of it.
 */
public final class RequestMemory {
    /** Larger requests are served after smaller ones. */
    static final int LIGHT_BYTES = 1 << 20;

    static final int SLOWEST_BYTES_PER_SECOND = 512 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(RequestMemory.class);
    private static final int LIGHT_SHARE = 4;
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The memory of one request. All of its fields are guarded by the monitor of the {@link RequestMemory}. */
    public final class Share {
        private final int requestBytes;
        private final Runnable granted;
        private final Runnable giveUp;
        private long bytes;
        private int wantedBytes;
        private boolean isExpected;
        private long waitingSinceNanos;
        private long dueNanos;

        private Share(int requestBytes, Runnable granted, Runnable giveUp) {
            this.requestBytes = requestBytes;
            this.granted = granted;
            this.giveUp = giveUp;
        }

        /** False if the bytes are not free. Then {@code granted} runs, on any thread, when they are taken. */
        public boolean take(int moreBytes) {
            return RequestMemory.this.take(this, moreBytes);
        }

        /** Takes bytes that are already in the buffer of a read. Never waits. */
        void takeAnyway(int moreBytes) {
            synchronized (RequestMemory.this) {
                if (this == first) {
                    bytes += moreBytes;
                } else {
                    add(this, moreBytes);
                }
                tight = isAnyWaiting() || usedBytes > ordinaryBytes;
            }
        }

        /** Releases a part of the bytes. */
        public void giveBack(int lessBytes) {
            RequestMemory.this.giveBack(this, lessBytes);
        }

        /** Sets the time at which the request is due: until then its client must send the rest of it. */
        public void expect() {
            RequestMemory.this.expect(this);
        }

        /** The request has arrived, so it is not due any more. */
        public void arrived() {
            synchronized (RequestMemory.this) {
                noLongerExpected(this);
            }
        }

        /** Releases all bytes. The share can't be used any more. */
        public void release() {
            RequestMemory.this.release(this);
        }

        private boolean isLight() {
            return requestBytes <= LIGHT_BYTES;
        }
    }

    private final long ordinaryBytes;
    private final long patienceNanos;
    private final LongSupplier clockNanos;
    /** The bytes of all shares except {@link #first}. */
    private long usedBytes;
    /** The share that never waits. There is one while other shares wait. */
    private @Nullable Share first;

    private final Set<Share> waitingLight = new LinkedHashSet<>();
    private final Set<Share> waitingHeavy = new LinkedHashSet<>();
    private final Set<Share> expected = new LinkedHashSet<>();
    private long checkedNanos;
    private long warnedNanos;
    /** Written under the monitor. */
    private volatile boolean tight;

    /**
     * @param maxBytes at least twice {@code largestRequestBytes}
     * @param patienceMillis how long a request may take, in addition to the time for its bytes, while others wait
     */
    public RequestMemory(long maxBytes, int largestRequestBytes, long patienceMillis, LongSupplier clockNanos) {
        this.ordinaryBytes = maxBytes - largestRequestBytes;
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        this.clockNanos = clockNanos;
        this.checkedNanos = clockNanos.getAsLong() - CHECK_NANOS;
        this.warnedNanos = clockNanos.getAsLong() - WARN_NANOS;
    }

    /**
     * A share without bytes.
     *
     * @param granted runs on any thread when a {@link Share#take} that had to wait is granted
     * @param giveUp runs on any thread when the request is overdue and other requests wait
     */
    public Share share(int requestBytes, Runnable granted, Runnable giveUp) {
        return new Share(requestBytes, granted, giveUp);
    }

    /**
     * Whether a request waits, or the next one would. Then reads are small, and a connection has one call at a time.
     */
    boolean isTight() {
        return tight;
    }

    /** All charged bytes. */
    public synchronized long usedBytes() {
        return usedBytes + (first == null ? 0 : first.bytes);
    }

    /** Must be called once a second while a request waits. */
    void closeOverdue() {
        List<Runnable> callbacks = new ArrayList<>(0);
        synchronized (this) {
            long now = clockNanos.getAsLong();
            if (tight && now - checkedNanos >= CHECK_NANOS) {
                checkedNanos = now;
                for (Share share : expected) {
                    if (share.wantedBytes == 0 && now - share.dueNanos > 0) {
                        callbacks.add(share.giveUp);
                    }
                }
            }
        }
        callbacks.forEach(Runnable::run);
    }

    private synchronized boolean take(Share share, int bytes) {
        if (share == first) {
            share.bytes += bytes;
            return true;
        }
        boolean othersWait = share.isLight() ? !waitingLight.isEmpty() : isAnyWaiting();
        if (!othersWait && fits(share, bytes)) {
            add(share, bytes);
            return true;
        }
        share.wantedBytes = bytes;
        share.waitingSinceNanos = clockNanos.getAsLong();
        if (first == null) {
            promote(share);
            return true;
        }
        (share.isLight() ? waitingLight : waitingHeavy).add(share);
        tight = true;
        warn(share.waitingSinceNanos);
        return false;
    }

    private void warn(long now) {
        if (now - warnedNanos >= WARN_NANOS) {
            warnedNanos = now;
            LOG.warn(
                    "Requests wait for memory: queued.max.request.bytes has {} bytes in addition to the largest"
                            + " request",
                    ordinaryBytes);
        }
    }

    private boolean fits(Share share, int bytes) {
        long limitBytes = share.isLight() ? ordinaryBytes : ordinaryBytes - ordinaryBytes / LIGHT_SHARE;
        return usedBytes + bytes <= limitBytes;
    }

    private void add(Share share, int bytes) {
        share.bytes += bytes;
        usedBytes += bytes;
    }

    private boolean isAnyWaiting() {
        return !(waitingLight.isEmpty() && waitingHeavy.isEmpty());
    }

    private void promote(Share share) {
        first = share;
        usedBytes -= share.bytes;
        share.bytes += share.wantedBytes;
        share.wantedBytes = 0;
    }

    private void giveBack(Share share, int bytes) {
        List<Runnable> callbacks;
        synchronized (this) {
            share.bytes -= bytes;
            if (share == first) {
                return;
            }
            usedBytes -= bytes;
            callbacks = serve();
        }
        callbacks.forEach(Runnable::run);
    }

    private void release(Share share) {
        List<Runnable> callbacks;
        synchronized (this) {
            noLongerExpected(share);
            if (share.wantedBytes > 0) {
                waitingLight.remove(share);
                waitingHeavy.remove(share);
            }
            if (share == first) {
                first = null;
            } else {
                usedBytes -= share.bytes;
            }
            share.bytes = 0;
            callbacks = serve();
        }
        callbacks.forEach(Runnable::run);
    }

    /** Most requests arrive whole and are never expected: they don't pay for a search in the set. */
    private void noLongerExpected(Share share) {
        if (share.isExpected) {
            share.isExpected = false;
            expected.remove(share);
        }
    }

    /** @return the callbacks of the shares that got memory */
    private List<Runnable> serve() {
        if (!tight) {
            return List.of();
        }
        List<Runnable> callbacks = new ArrayList<>();
        serve(waitingLight, callbacks);
        if (waitingLight.isEmpty()) {
            serve(waitingHeavy, callbacks);
        }
        if (first == null && isAnyWaiting()) {
            Share longest = longestWaiting();
            waitingLight.remove(longest);
            waitingHeavy.remove(longest);
            promote(longest);
            grant(longest, callbacks);
        }
        tight = isAnyWaiting() || usedBytes > ordinaryBytes;
        return callbacks;
    }

    private void serve(Set<Share> waiting, List<Runnable> callbacks) {
        for (var shares = waiting.iterator(); shares.hasNext(); ) {
            Share share = shares.next();
            if (!fits(share, share.wantedBytes)) {
                return;
            }
            shares.remove();
            add(share, share.wantedBytes);
            share.wantedBytes = 0;
            grant(share, callbacks);
        }
    }

    private void grant(Share share, List<Runnable> callbacks) {
        share.dueNanos += clockNanos.getAsLong() - share.waitingSinceNanos;
        callbacks.add(share.granted);
    }

    private Share longestWaiting() {
        if (waitingLight.isEmpty()) {
            return waitingHeavy.iterator().next();
        }
        Share light = waitingLight.iterator().next();
        if (waitingHeavy.isEmpty()) {
            return light;
        }
        Share heavy = waitingHeavy.iterator().next();
        return heavy.waitingSinceNanos - light.waitingSinceNanos < 0 ? heavy : light;
    }

    private synchronized void expect(Share share) {
        long transferNanos = TimeUnit.SECONDS.toNanos(share.requestBytes) / SLOWEST_BYTES_PER_SECOND;
        share.dueNanos = clockNanos.getAsLong() + patienceNanos + transferNanos;
        share.isExpected = true;
        expected.add(share);
    }
}

package io.rivulet.broker.net;

import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, and which of them is idle the longest. Connections that have never sent a request, or whose
 * client has not logged in, come first, so that many idle sockets don't displace clients.
 *
 * <p>A search through all connections finds some of them, so that it is rare. Thread-safe.
 */
final class LongestIdle {
    /** The part of the connections that a search finds. */
    private static final int SHARE = 64;

    /** When the client has last sent a request. Written by the event loop of the connection. */
    static final class Activity {
        private final Channel channel;
        private final LongSupplier clockNanos;
        private final AtomicLong lastNanos;
        private volatile boolean used;

        private Activity(Channel channel, LongSupplier clockNanos) {
            this.channel = channel;
            this.clockNanos = clockNanos;
            this.lastNanos = new AtomicLong(clockNanos.getAsLong());
        }

        /**
         * The client has sent a request.
         *
         * @param isKnown whether it has logged in, if it must
         */
        void requested(boolean isKnown) {
            lastNanos.lazySet(clockNanos.getAsLong());
            if (isKnown && !used) {
                used = true;
            }
        }

        /** The time since the last request, or since the connection was opened. Any thread. */
        long idleMillis() {
            return (clockNanos.getAsLong() - lastNanos.get()) / 1_000_000;
        }
    }

    private record Seen(Activity activity, boolean used, long idleNanos, long lastNanos) {
        static Seen of(Activity activity, long now) {
            long last = activity.lastNanos.get();
            return new Seen(activity, activity.used, now - last, last);
        }

        boolean isStillIdle() {
            return activity.channel.isActive() && activity.lastNanos.get() == lastNanos && activity.used == used;
        }
    }

    /** The longest idle one is the last. */
    private static final Comparator<Seen> BY_IDLENESS =
            Comparator.comparing((Seen seen) -> !seen.used).thenComparingLong(Seen::idleNanos);

    private final LongSupplier clockNanos;
    private final Set<Activity> open = ConcurrentHashMap.newKeySet();
    /** The longest idle one is the first. Guarded by this. */
    private final Deque<Seen> found = new ArrayDeque<>();

    LongestIdle(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    Activity add(Channel channel) {
        Activity activity = new Activity(channel, clockNanos);
        open.add(activity);
        return activity;
    }

    void remove(Activity activity) {
        open.remove(activity);
    }

    /** Removes the connection that is idle the longest. Null if none is open. */
    synchronized @Nullable Channel take() {
        Seen next = nextFound();
        if (next == null) {
            find(open);
            next = nextFound();
        }
        if (next == null) {
            return null;
        }
        open.remove(next.activity);
        return next.activity.channel;
    }

    private @Nullable Seen nextFound() {
        Seen next = found.poll();
        while (next != null && !next.isStillIdle()) {
            next = found.poll();
        }
        return next;
    }

    private void find(Collection<Activity> all) {
        PriorityQueue<Seen> longest = new PriorityQueue<>(BY_IDLENESS);
        int wanted = 1 + all.size() / SHARE;
        long now = clockNanos.getAsLong();
        for (Activity activity : all) {
            longest.add(Seen.of(activity, now));
            if (longest.size() > wanted) {
                longest.remove();
            }
        }
        for (Seen seen = longest.poll(); seen != null; seen = longest.poll()) {
            found.addFirst(seen);
        }
    }
}

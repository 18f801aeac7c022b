package io.rivulet.broker.fetch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who waits for which queue to grow. A queue that nobody waits for costs one look at a flag of its stripe.
 *
 * <p>Thread-safe: each stripe is guarded by its monitor. Waiters are told outside of it.
 */
public final class WaitingFetches {
    /** Wants to know when a queue grows. */
    public interface Waiter {
        /** Log-writer thread; must not block. May be told once more after it has left. */
        void grown(int queueId, int bytes);
    }

    private static final int STRIPES = 256;

    private final Stripe[] stripes = new Stripe[STRIPES];

    public WaitingFetches() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    public void join(int queueId, Waiter waiter) {
        stripe(queueId).join(queueId, waiter);
    }

    public void leave(int queueId, Waiter waiter) {
        stripe(queueId).leave(queueId, waiter);
    }

    /** The queue has grown by so many bytes, and they can be read. */
    public void grown(int queueId, int bytes) {
        Stripe stripe = stripe(queueId);
        if (stripe.waited) {
            for (Waiter waiter : stripe.waiters(queueId)) {
                waiter.grown(queueId, bytes);
            }
        }
    }

    private Stripe stripe(int queueId) {
        return stripes[queueId & (STRIPES - 1)];
    }

    private static final class Stripe {
        private final Map<Integer, List<Waiter>> waiters = new HashMap<>();
        /** Whether there is any; read without the monitor, so a waiter looks at its queues once more after joining. */
        private volatile boolean waited;

        synchronized void join(int queueId, Waiter waiter) {
            waiters.computeIfAbsent(queueId, id -> new ArrayList<>(1)).add(waiter);
            waited = true;
        }

        synchronized void leave(int queueId, Waiter waiter) {
            waiters.computeIfPresent(queueId, (id, all) -> {
                all.remove(waiter);
                return all.isEmpty() ? null : all;
            });
            waited = !waiters.isEmpty();
        }

        synchronized List<Waiter> waiters(int queueId) {
            return List.copyOf(waiters.getOrDefault(queueId, List.of()));
        }
    }
}

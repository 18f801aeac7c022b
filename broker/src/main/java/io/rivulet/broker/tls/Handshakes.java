package io.rivulet.broker.tls;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OnDemandThreads;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes under way, of all listeners. Each takes memory and milliseconds of a processor, for a client that has
 * not said who it is. So there is a limit. Other connections wait in their order, and are not read.
 *
 * <p>The work for handshakes is done by threads of their own, which end after a minute without work. Thread-safe.
 */
public final class Handshakes implements AutoCloseable {
    private static final long KEEP_SECONDS = 60;

    private final int max;
    private final ThreadPoolExecutor workers;
    /** Guarded by {@code this}. */
    private final Set<Turn> underWay = new LinkedHashSet<>();
    /** From the first that came to the last. Guarded by {@code this}. */
    private final Set<Turn> waiting = new LinkedHashSet<>();

    /** What waits for its turn, and then has it. */
    interface Turn {
        /** The turn has come. Any thread; must not block. */
        void come();
    }

    /** @param max the number of handshakes under way */
    public Handshakes(int max, int threads, FailureLatch failures) {
        this.max = max;
        this.workers = OnDemandThreads.numbered("tls", threads, KEEP_SECONDS, failures);
    }

    /** The threads that do the work. */
    ThreadPoolExecutor workers() {
        return workers;
    }

    /** The turn comes now, or when enough others have ended. */
    void enter(Turn turn) {
        synchronized (this) {
            if (underWay.size() >= max) {
                waiting.add(turn);
                return;
            }
            underWay.add(turn);
        }
        turn.come();
    }

    /** The turn has ended, or is not wanted any more. May be called again. */
    void leave(Turn turn) {
        Turn next;
        synchronized (this) {
            waiting.remove(turn);
            next = underWay.remove(turn) ? takeNext() : null;
        }
        if (next != null) {
            next.come();
        }
    }

    private @Nullable Turn takeNext() {
        Iterator<Turn> first = waiting.iterator();
        if (!first.hasNext()) {
            return null;
        }
        Turn next = first.next();
        first.remove();
        underWay.add(next);
        return next;
    }

    synchronized boolean someWait() {
        return !waiting.isEmpty();
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}

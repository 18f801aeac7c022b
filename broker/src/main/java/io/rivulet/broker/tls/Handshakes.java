package io.rivulet.broker.tls;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OnDemandThreads;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes under way, of all listeners. Each takes memory and milliseconds of a processor, for a client that has
 * not said who it is. So there is a limit. Other connections wait, and are not read. The newest has the next turn: so a
 * client waits three seconds at most, however many came before it and do not go on. Those that wait the longest may
 * have given up.
 *
 * <p>The work for handshakes is done by threads of their own, which end after a minute without work. Thread-safe.
 */
public final class Handshakes implements AutoCloseable {
    private static final long KEEP_SECONDS = 60;

    private final int max;
    private final ThreadPoolExecutor workers;
    /** Guarded by {@code this}. */
    private final Set<Turn> underWay = new HashSet<>();
    /** By number. Guarded by {@code this}. */
    private final NavigableMap<Long, Turn> waiting = new TreeMap<>();
    /** The numbers of those that wait. Guarded by {@code this}. */
    private final Map<Turn, Long> numbers = new HashMap<>();
    /** Guarded by {@code this}. */
    private long lastNumber;

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
                waiting.put(++lastNumber, turn);
                numbers.put(turn, lastNumber);
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
            Long number = numbers.remove(turn);
            if (number != null) {
                waiting.remove(number);
            }
            next = underWay.remove(turn) ? takeNext() : null;
        }
        if (next != null) {
            next.come();
        }
    }

    private @Nullable Turn takeNext() {
        Map.Entry<Long, Turn> newest = waiting.pollLastEntry();
        if (newest == null) {
            return null;
        }
        numbers.remove(newest.getValue());
        underWay.add(newest.getValue());
        return newest.getValue();
    }

    synchronized boolean someWait() {
        return !waiting.isEmpty();
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}

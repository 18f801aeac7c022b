package io.rivulet.store.compact;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the transactions in a queue, as its markers say.
 *
 * <p>Memory: an entry for each aborted transaction in the queue. Owned by: background thread.
 */
final class Transactions {
    /** What a record of a transaction is worth. */
    enum Fate {
        COMMITTED,
        ABORTED,
        /** The marker is not among what is compacted: it may come yet. */
        OPEN
    }

    private record Span(long firstOffset, long lastOffset) {}

    private boolean any;
    private final Map<Long, Long> open = new HashMap<>();
    private final Map<Long, List<Span>> aborted = new HashMap<>();

    void records(long producerId, long offset) {
        any = true;
        open.putIfAbsent(producerId, offset);
    }

    void committed(long producerId) {
        open.remove(producerId);
    }

    void aborted(long producerId, long offset) {
        Long first = open.remove(producerId);
        if (first != null) {
            aborted.computeIfAbsent(producerId, id -> new ArrayList<>()).add(new Span(first, offset));
        }
    }

    /** Whether there was one. */
    boolean hasAny() {
        return any;
    }

    boolean hasOpen() {
        return !open.isEmpty();
    }

    /** After all have been told. */
    Fate fate(long producerId, long offset) {
        Long openFrom = open.get(producerId);
        if (openFrom != null && offset >= openFrom) {
            return Fate.OPEN;
        }
        for (Span span : aborted.getOrDefault(producerId, List.of())) {
            if (offset >= span.firstOffset && offset < span.lastOffset) {
                return Fate.ABORTED;
            }
        }
        return Fate.COMMITTED;
    }
}

package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import io.rivulet.prove.history.HistoryChecker.Violations;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * No two transactions have read from each other, directly or through others: a reader sees a transaction after its
 * commit, so its own commit is later. Owned by: one thread.
 */
final class Cycles {
    private final History history;
    private final Map<String, Write> writes;
    private final Violations found;

    Cycles(History history, Map<String, Write> writes, Violations found) {
        this.history = history;
        this.writes = writes;
        this.found = found;
    }

    /** Takes away what has read from nobody that is left, until nothing can be taken: the rest is in cycles. */
    void check() {
        IdentityHashMap<Write, Set<Write>> readers = new IdentityHashMap<>();
        IdentityHashMap<Write, Integer> waits = new IdentityHashMap<>();
        List<Write> transactions = history.events(Write.class).stream()
                .filter(write -> write.isTransaction() && write.result() != Result.FAIL)
                .toList();
        for (Write reader : transactions) {
            waits.putIfAbsent(reader, 0);
            for (Entry input : reader.inputs()) {
                Write from = writes.get(input.value());
                if (from != null
                        && from.isTransaction()
                        && readers.computeIfAbsent(from, Cycles::none).add(reader)) {
                    waits.merge(reader, 1, Integer::sum);
                }
            }
        }
        Deque<Write> ready = new ArrayDeque<>();
        waits.forEach((write, count) -> {
            if (count == 0) {
                ready.add(write);
            }
        });
        for (Write write = ready.poll(); write != null; write = ready.poll()) {
            waits.remove(write);
            for (Write reader : readers.getOrDefault(write, Set.of())) {
                if (waits.merge(reader, -1, Integer::sum) == 0) {
                    ready.add(reader);
                }
            }
        }
        waits.keySet().forEach(write -> found.add("cycle of reads", write.toString()));
    }

    private static Set<Write> none(Write write) {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }
}

package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Poll;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds in a history what no broker may do: records that are lost, doubled, moved or torn, offsets with two values,
 * sends out of order. {@link ReaderRules}, {@link GroupRules} and {@link Cycles} look at readers, committed offsets and
 * dependencies between transactions. Write cycles are no violation: the records of two open transactions may lie in
 * any order. Owned by: one thread.
 */
final class HistoryChecker {
    /** One bug may have many effects. */
    private static final int MOST_OF_A_RULE = 5;

    private final History history;
    private final Map<String, Write> writes = new HashMap<>();
    private final Map<String, Entry> read = new HashMap<>();
    private final Violations found = new Violations();

    /** What was found, by rule. Owned by: one thread. */
    static final class Violations {
        private final Map<String, Integer> counts = new HashMap<>();
        private final List<String> lines = new ArrayList<>();

        void add(String rule, String what) {
            if (counts.merge(rule, 1, Integer::sum) <= MOST_OF_A_RULE) {
                lines.add(rule + ": " + what);
            }
        }
    }

    HistoryChecker(History history) {
        this.history = history;
        history.events(Write.class).forEach(write -> write.sent().forEach(entry -> writes.put(entry.value(), write)));
    }

    List<String> violations() {
        history.atTheEnd(true).values().forEach(this::checkPartition);
        history.events(Write.class).forEach(this::checkWrite);
        checkValues();
        checkOrder();
        new ReaderRules(history, writes, found).check();
        new GroupRules(history, found).check();
        new Cycles(history, writes, found).check();
        return found.lines;
    }

    private void checkPartition(List<Entry> entries) {
        for (Entry entry : entries) {
            Entry before = read.put(entry.value(), entry);
            if (before != null) {
                found.add("doubled", before + " is also " + entry);
            }
            if (!writes.containsKey(entry.value())) {
                found.add("never sent", entry.toString());
            }
        }
    }

    private void checkWrite(Write write) {
        int there = 0;
        for (Entry sent : write.sent()) {
            Entry entry = read.get(sent.value());
            there += entry == null ? 0 : 1;
            boolean isElsewhere = entry != null
                    && (!entry.partition().equals(sent.partition())
                            || (sent.offset() != History.UNKNOWN && sent.offset() != entry.offset()));
            if (isElsewhere) {
                found.add("elsewhere", sent + " is " + entry);
            }
        }
        int count = write.sent().size();
        if (write.result() == Result.OK && there < count) {
            found.add("lost", (count - there) + " of " + write);
        } else if (write.result() == Result.FAIL && there > 0) {
            found.add("aborted, but there", there + " of " + write);
        } else if (there > 0 && there < count) {
            found.add("torn", "of a transaction there are " + there + " records: " + write);
        }
    }

    /** Whoever has seen an offset has seen the same value there. */
    private void checkValues() {
        Map<String, Map<Long, String>> values = new HashMap<>();
        history.atTheEnd(false)
                .values()
                .forEach(entries -> entries.forEach(entry -> agree(values, entry, "at the end")));
        history.atTheEnd(true)
                .values()
                .forEach(entries -> entries.forEach(entry -> agree(values, entry, "at the end")));
        history.events(Write.class)
                .forEach(write -> write.sent().forEach(entry -> agree(values, entry, "acknowledged")));
        history.events(Poll.class).forEach(poll -> poll.seen().forEach(entry -> agree(values, entry, poll.reader())));
    }

    private void agree(Map<String, Map<Long, String>> values, Entry entry, String who) {
        if (entry.offset() == History.UNKNOWN) {
            return;
        }
        String other = values.computeIfAbsent(entry.partition(), partition -> new HashMap<>())
                .putIfAbsent(entry.offset(), entry.value());
        if (other != null && !other.equals(entry.value())) {
            found.add("offset with two values", entry + " (" + who + ") is elsewhere " + other);
        }
    }

    /** The numbers of a writer rise in each partition, as it was acknowledged and as it is. */
    private void checkOrder() {
        history.atTheEnd(false).values().forEach(entries -> checkRising(entries, "sends out of order"));
        Map<String, List<Entry>> acknowledged = new HashMap<>();
        history.events(Write.class)
                .forEach(write -> write.sent().stream()
                        .filter(entry -> entry.offset() != History.UNKNOWN)
                        .forEach(entry -> acknowledged
                                .computeIfAbsent(entry.partition(), partition -> new ArrayList<>())
                                .add(entry)));
        acknowledged.values().forEach(entries -> {
            entries.sort((a, b) -> Long.compare(a.offset(), b.offset()));
            checkRising(entries, "acknowledged out of order");
        });
    }

    private void checkRising(List<Entry> entries, String rule) {
        Map<String, Long> last = new HashMap<>();
        Set<String> values = new HashSet<>();
        for (Entry entry : entries) {
            Long before = last.put(entry.writer(), entry.number());
            if (before != null && before > entry.number() && values.add(entry.value())) {
                found.add(rule, entry + " comes after number " + before);
            }
        }
    }
}

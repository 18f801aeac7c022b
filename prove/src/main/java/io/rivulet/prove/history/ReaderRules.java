package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Commit;
import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Event;
import io.rivulet.prove.history.History.Poll;
import io.rivulet.prove.history.History.Position;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import io.rivulet.prove.history.HistoryChecker.Violations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What readers see rises without a gap, stays, and was committed before they saw it. Owned by: one thread.
 *
 * <p>Times are compared only where they prove something: a transaction whose end was asked for after a poll was over
 * has been open during the poll.
 */
final class ReaderRules {
    /**
     * Where a reader goes on.
     *
     * @param offset nothing before it may come
     * @param group if it is not empty, the reader starts at the group's offset, which may be higher
     */
    private record Cursor(long offset, String group) {}

    /** The first record of a transaction in a partition, and until when it has been open at least. */
    private record Open(long offset, long untilNanos) {}

    private final History history;
    private final Map<String, Write> writes;
    private final Violations found;
    private final GroupOffsets commits;
    private final Map<String, List<Open>> open = new HashMap<>();
    private final Map<Boolean, Map<String, TreeSet<Long>>> offsets = new HashMap<>();
    /** By value; what was seen must be there at the end. */
    private final Map<Boolean, Map<String, Entry>> there = new HashMap<>();

    ReaderRules(History history, Map<String, Write> writes, Violations found) {
        this.history = history;
        this.writes = writes;
        this.found = found;
        this.commits = new GroupOffsets(history.events(Write.class), history.events(Commit.class));
        for (boolean committed : new boolean[] {true, false}) {
            Map<String, TreeSet<Long>> byPartition = new HashMap<>();
            Map<String, Entry> byValue = new HashMap<>();
            history.atTheEnd(committed).forEach((partition, entries) -> {
                TreeSet<Long> sorted = new TreeSet<>();
                entries.forEach(entry -> sorted.add(entry.offset()));
                entries.forEach(entry -> byValue.put(entry.value(), entry));
                byPartition.put(partition, sorted);
            });
            offsets.put(committed, byPartition);
            there.put(committed, byValue);
        }
        history.events(Write.class).stream().filter(Write::isTransaction).forEach(this::addOpen);
    }

    private void addOpen(Write write) {
        Map<String, Long> first = new TreeMap<>();
        write.sent().stream()
                .filter(entry -> entry.offset() != History.UNKNOWN)
                .forEach(entry -> first.merge(entry.partition(), entry.offset(), Math::min));
        first.forEach((partition, offset) ->
                open.computeIfAbsent(partition, name -> new ArrayList<>()).add(new Open(offset, write.endNanos())));
    }

    void check() {
        Map<String, Map<String, Cursor>> cursors = new HashMap<>();
        for (Event event : history.events()) {
            if (event instanceof Position position) {
                cursors.computeIfAbsent(position.reader(), reader -> new HashMap<>())
                        .put(position.partition(), cursor(position));
            } else if (event instanceof Poll poll) {
                check(poll, cursors.computeIfAbsent(poll.reader(), reader -> new HashMap<>()));
            }
        }
    }

    private Cursor cursor(Position position) {
        if (position.group().isEmpty()) {
            return new Cursor(position.offset(), "");
        }
        return new Cursor(commits.atLeast(position.group(), position.partition(), position.nanos()), position.group());
    }

    private void check(Poll poll, Map<String, Cursor> cursors) {
        for (Entry entry : poll.seen()) {
            checkSeen(poll, entry);
            checkStep(poll, entry, cursors.get(entry.partition()));
            cursors.put(entry.partition(), new Cursor(entry.offset() + 1, ""));
        }
        Map<String, Long> last = new TreeMap<>();
        poll.seen().forEach(entry -> last.merge(entry.partition(), entry.offset(), Math::max));
        if (poll.isCommitted()) {
            last.forEach((partition, offset) -> checkStable(poll, partition, offset));
        }
    }

    private void checkStep(Poll poll, Entry entry, @Nullable Cursor cursor) {
        if (cursor == null) {
            found.add("not assigned", poll.reader() + " got " + entry);
        } else if (entry.offset() < cursor.offset) {
            found.add("poll goes back", poll.reader() + " got " + entry + " after offset " + (cursor.offset - 1));
        } else {
            long from = cursor.group.isEmpty()
                    ? cursor.offset
                    : commits.atMost(cursor.group, entry.partition(), poll.nanos());
            TreeSet<Long> visible =
                    offsets.getOrDefault(poll.isCommitted(), Map.of()).getOrDefault(entry.partition(), new TreeSet<>());
            Long skipped = visible.ceiling(from);
            if (skipped != null && skipped < entry.offset()) {
                found.add("poll skips", poll.reader() + " got " + entry + " and not offset " + skipped);
            }
        }
    }

    private void checkSeen(Poll poll, Entry entry) {
        Write write = writes.get(entry.value());
        if (write == null) {
            found.add("never sent", poll.reader() + " got " + entry);
        } else if (poll.isCommitted() && write.result() == Result.FAIL) {
            found.add("aborted read", poll.reader() + " got " + entry);
        } else if (poll.isCommitted() && write.isTransaction() && write.endNanos() > poll.nanos()) {
            found.add("read before the commit", poll.reader() + " got " + entry);
        } else if (!entry.equals(
                there.getOrDefault(poll.isCommitted(), Map.of()).get(entry.value()))) {
            found.add("read, but not there later", poll.reader() + " got " + entry);
        }
    }

    /** Nothing behind the first record of a transaction that was still open. */
    private void checkStable(Poll poll, String partition, long lastOffset) {
        open.getOrDefault(partition, List.of()).stream()
                .filter(one -> one.offset < lastOffset && one.untilNanos > poll.nanos())
                .findFirst()
                .ifPresent(one -> found.add(
                        "read beyond the last stable offset",
                        poll.reader() + " got " + partition + " offset " + lastOffset + ", and a transaction was open"
                                + " from offset " + one.offset));
    }
}

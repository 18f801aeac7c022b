package io.rivulet.prove.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What clients did and saw. Times are those of one monotonic clock; partitions have their names, such as {@code h-0}.
 *
 * <p>Guarded by its monitor.
 */
public final class History {
    /** An offset that is not known. */
    static final long UNKNOWN = -1;

    /** How an operation ended. */
    enum Result {
        OK,
        /** It has had no effect. */
        FAIL,
        /** The client does not know. */
        INFO
    }

    /** A record as it was sent or read. Its value is {@code WRITER-NUMBER}; a writer's numbers rise. */
    record Entry(String partition, long offset, String value) {
        String writer() {
            return value.substring(0, value.lastIndexOf('-'));
        }

        long number() {
            return Long.parseLong(value.substring(value.lastIndexOf('-') + 1));
        }
    }

    /** What a client did. Those of one client are in its order. */
    interface Event {}

    /**
     * A record outside of transactions, or a whole transaction.
     *
     * @param endNanos when the end was asked for: until then nobody may see what a transaction sent
     * @param doneNanos when the end was answered
     * @param inputs what a transaction processed
     * @param group in which it committed offsets; empty if there are none
     * @param commits the offsets by partition
     */
    record Write(
            Result result,
            boolean isTransaction,
            long endNanos,
            long doneNanos,
            List<Entry> sent,
            List<Entry> inputs,
            String group,
            Map<String, Long> commits)
            implements Event {
        static Write plain(Result result, Entry sent) {
            return new Write(result, false, 0, 0, List.of(sent), List.of(), "", Map.of());
        }
    }

    /** What a reader got. */
    record Poll(String reader, boolean isCommitted, long nanos, List<Entry> seen) implements Event {}

    /**
     * A reader's position in a partition is set.
     *
     * @param offset from here on, or unknown: from the group's committed offset, or from the beginning
     * @param group empty if the reader has none
     */
    record Position(String reader, String partition, long offset, String group, long nanos) implements Event {}

    /** A commit of offsets outside of transactions; {@code endNanos} is when it was answered. */
    record Commit(Result result, String group, Map<String, Long> offsets, long startNanos, long endNanos)
            implements Event {}

    /** What the broker says is committed; an offset may be unknown. */
    record Committed(String group, String partition, long offset, long startNanos, long endNanos) implements Event {}

    private final List<Event> events;
    /** All records by partition, read after the end of all work. */
    private final Map<String, List<Entry>> committed;

    private final Map<String, List<Entry>> all;

    public History() {
        this(new ArrayList<>(), new HashMap<>(), new HashMap<>());
    }

    /** @param all also those of aborted transactions */
    History(List<Event> events, Map<String, List<Entry>> committed, Map<String, List<Entry>> all) {
        this.events = events;
        this.committed = committed;
        this.all = all;
    }

    synchronized void add(Event event) {
        events.add(event);
    }

    /** Records the whole partition. */
    synchronized void atTheEnd(boolean isCommitted, String partition, List<Entry> entries) {
        (isCommitted ? committed : all).put(partition, entries);
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    synchronized <T extends Event> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    synchronized Map<String, List<Entry>> atTheEnd(boolean isCommitted) {
        return Map.copyOf(isCommitted ? committed : all);
    }

    /** The partition at the end; empty if it does not exist. */
    synchronized List<Entry> atTheEnd(boolean isCommitted, String partition) {
        return Objects.requireNonNullElse((isCommitted ? committed : all).get(partition), List.of());
    }
}

package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Event;
import io.rivulet.prove.history.History.Poll;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A copy of a history that a planted bug changes. Owned by: one thread. */
final class Tampering {
    private final List<Event> events;
    private final Map<Boolean, Map<String, List<Entry>>> atTheEnd = new HashMap<>();

    Tampering(History history) {
        events = new ArrayList<>(history.events());
        for (boolean committed : new boolean[] {true, false}) {
            Map<String, List<Entry>> copy = new HashMap<>();
            history.atTheEnd(committed).forEach((partition, all) -> copy.put(partition, new ArrayList<>(all)));
            atTheEnd.put(committed, copy);
        }
    }

    History history() {
        return new History(events, atTheEnd(true), atTheEnd(false));
    }

    Map<String, List<Entry>> atTheEnd(boolean isCommitted) {
        return Objects.requireNonNull(atTheEnd.get(isCommitted));
    }

    List<Entry> atTheEnd(boolean isCommitted, String partition) {
        return Objects.requireNonNull(atTheEnd(isCommitted).get(partition));
    }

    /** The first in the middle of the history for which this holds. */
    <T extends Event> T find(Class<T> kind, Predicate<T> wanted) {
        List<T> all = all(kind, wanted);
        return all.get(all.size() / 2);
    }

    <T extends Event> List<T> all(Class<T> kind, Predicate<T> wanted) {
        return events.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .filter(wanted)
                .toList();
    }

    void replace(Event before, Event after) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) == before) {
                events.set(i, after);
                return;
            }
        }
        throw new IllegalArgumentException("not there: " + before);
    }

    /** The record is not there at the end. */
    void forget(Entry entry) {
        atTheEnd.values()
                .forEach(end -> end.values()
                        .forEach(all -> all.removeIf(one -> one.value().equals(entry.value()))));
    }

    /** Changes the record wherever it was seen. */
    void everywhere(UnaryOperator<Entry> change) {
        atTheEnd.values()
                .forEach(end -> end.values().forEach(all -> {
                    all.replaceAll(change);
                    all.sort(Comparator.comparingLong(Entry::offset));
                }));
        events.replaceAll(event -> event instanceof Poll poll
                ? new Poll(poll.reader(), poll.isCommitted(), poll.nanos(), changed(poll.seen(), change))
                : event instanceof Write write ? sending(write, changed(write.sent(), change)) : event);
    }

    private static List<Entry> changed(List<Entry> entries, UnaryOperator<Entry> change) {
        List<Entry> copy = new ArrayList<>(entries);
        copy.replaceAll(change);
        return copy;
    }

    // ---- copies with a change ----

    static Write sending(Write write, List<Entry> sent) {
        return new Write(
                write.result(),
                write.isTransaction(),
                write.endNanos(),
                write.doneNanos(),
                sent,
                write.inputs(),
                write.group(),
                write.commits());
    }

    static Write ended(Write write, Result result, long endNanos) {
        return new Write(
                result,
                write.isTransaction(),
                endNanos,
                write.doneNanos(),
                write.sent(),
                write.inputs(),
                write.group(),
                write.commits());
    }

    static Write reading(Write write, Entry input) {
        List<Entry> inputs = new ArrayList<>(write.inputs());
        inputs.add(input);
        return new Write(
                write.result(),
                write.isTransaction(),
                write.endNanos(),
                write.doneNanos(),
                write.sent(),
                inputs,
                write.group(),
                write.commits());
    }

    static Poll seeing(Poll poll, List<Entry> seen) {
        return new Poll(poll.reader(), poll.isCommitted(), poll.nanos(), seen);
    }
}

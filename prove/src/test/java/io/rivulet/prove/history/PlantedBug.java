package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Committed;
import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Poll;
import io.rivulet.prove.history.History.Position;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Bugs of a broker, planted in a recorded history as clients would have seen them. Immutable. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum PlantedBug {
    LOSES_AN_ACKNOWLEDGED_RECORD(
            "lost", history -> history.forget(plain(history).sent().get(0))),
    LOSES_THE_RECORDS_OF_A_TRANSACTION(
            "lost", history -> committed(history).sent().forEach(history::forget)),
    STORES_A_RETRY_TWICE("doubled", history -> {
        Entry entry = plain(history).sent().get(0);
        for (boolean isCommitted : new boolean[] {true, false}) {
            List<Entry> all = history.atTheEnd(isCommitted, entry.partition());
            all.add(new Entry(entry.partition(), all.get(all.size() - 1).offset() + 1, entry.value()));
        }
    }),
    STORES_A_RECORD_IN_ANOTHER_PARTITION("elsewhere", history -> {
        Entry entry = plain(history).sent().get(0);
        history.forget(entry);
        List<Entry> all = history.atTheEnd(true, "output-0");
        all.add(new Entry("output-0", all.get(all.size() - 1).offset() + 1, entry.value()));
    }),
    ACKNOWLEDGES_A_WRONG_OFFSET("elsewhere", history -> {
        Write write = plain(history);
        Entry entry = write.sent().get(0);
        history.replace(
                write,
                Tampering.sending(write, List.of(new Entry(entry.partition(), entry.offset() + 1, entry.value()))));
    }),
    SERVES_WHAT_NOBODY_SENT(
            "never sent",
            history -> history.atTheEnd(true, "history-0").add(new Entry("history-0", Long.MAX_VALUE, "nobody-0"))),
    SERVES_TWO_RECORDS_AT_AN_OFFSET("offset with two values", history -> {
        Poll poll = history.find(Poll.class, one -> samePartition(one, 0, 1));
        List<Entry> seen = new ArrayList<>(poll.seen());
        seen.set(
                0,
                new Entry(
                        seen.get(0).partition(),
                        seen.get(0).offset(),
                        seen.get(1).value()));
        history.replace(poll, Tampering.seeing(poll, seen));
    }),
    REORDERS_THE_RECORDS_OF_A_PRODUCER("sends out of order", history -> {
        List<Entry> ofOne = history.atTheEnd(true, "history-0").stream()
                .filter(entry -> entry.writer().equals("plain1"))
                .toList();
        Entry first = ofOne.get(ofOne.size() / 2);
        Entry second = ofOne.get(ofOne.size() / 2 + 1);
        history.everywhere(entry -> entry.equals(first)
                ? new Entry(first.partition(), second.offset(), first.value())
                : entry.equals(second) ? new Entry(second.partition(), first.offset(), second.value()) : entry);
    }),
    COMMITS_A_TRANSACTION_IN_PART("torn", history -> {
        Write write = history.find(
                Write.class,
                one -> one.isTransaction()
                        && one.result() == Result.OK
                        && one.sent().size() > 1);
        history.replace(write, Tampering.ended(write, Result.INFO, write.endNanos()));
        history.forget(write.sent().get(0));
    }),
    KEEPS_AN_ABORTED_TRANSACTION("aborted, but there", history -> {
        Write write = committed(history);
        history.replace(write, Tampering.ended(write, Result.FAIL, write.endNanos()));
    }),
    SHOWS_AN_ABORTED_RECORD("aborted read", history -> {
        Poll poll = polled(history);
        Write write = writer(history, poll);
        history.replace(write, Tampering.ended(write, Result.FAIL, write.endNanos()));
    }),
    SHOWS_AN_OPEN_TRANSACTION("read before the commit", history -> {
        Poll poll = polled(history);
        Write write = writer(history, poll);
        history.replace(write, Tampering.ended(write, write.result(), poll.nanos() + 1));
    }),
    READS_BEYOND_THE_LAST_STABLE_OFFSET("read beyond the last stable offset", history -> {
        Poll poll = polled(history);
        Entry last = poll.seen().get(poll.seen().size() - 1);
        Write open = history.find(
                Write.class,
                one -> one.isTransaction()
                        && one.endNanos() < poll.nanos()
                        && one.sent().stream()
                                .anyMatch(entry -> entry.partition().equals(last.partition())
                                        && entry.offset() >= 0
                                        && entry.offset() < last.offset()));
        history.replace(open, Tampering.ended(open, open.result(), poll.nanos() + 1));
    }),
    TAKES_BACK_WHAT_WAS_READ("read, but not there later", history -> {
        Poll poll = history.find(Poll.class, one -> one.reader().equals("uncommitted"));
        String value = poll.seen().get(0).value();
        history.atTheEnd(false, poll.seen().get(0).partition())
                .removeIf(entry -> entry.value().equals(value));
    }),
    DELIVERS_A_RECORD_TWICE("poll goes back", history -> {
        Poll poll = history.find(Poll.class, one -> samePartition(one, 0, 0));
        List<Entry> seen = new ArrayList<>(poll.seen());
        seen.add(1, seen.get(0));
        history.replace(poll, Tampering.seeing(poll, seen));
    }),
    DELIVERS_RECORDS_OUT_OF_ORDER("poll goes back", history -> {
        Poll poll = history.find(Poll.class, one -> samePartition(one, 0, 1));
        List<Entry> seen = new ArrayList<>(poll.seen());
        seen.add(1, seen.remove(0));
        history.replace(poll, Tampering.seeing(poll, seen));
    }),
    SKIPS_A_RECORD("poll skips", history -> {
        Poll poll = history.find(Poll.class, one -> samePartition(one, 1, 2) && samePartition(one, 0, 1));
        List<Entry> seen = new ArrayList<>(poll.seen());
        seen.remove(1);
        history.replace(poll, Tampering.seeing(poll, seen));
    }),
    STARTS_A_READER_TOO_LATE("poll skips", history -> {
        Position start = history.all(Position.class, one -> one.reader().equals("committed"))
                .get(0);
        Poll poll = history.all(
                        Poll.class,
                        one -> one.reader().equals("committed")
                                && one.seen().stream()
                                        .anyMatch(entry -> entry.partition().equals(start.partition())))
                .get(0);
        List<Entry> seen = new ArrayList<>(poll.seen());
        seen.remove(seen.stream()
                .filter(entry -> entry.partition().equals(start.partition()))
                .min(Comparator.comparingLong(Entry::offset))
                .orElseThrow());
        history.replace(poll, Tampering.seeing(poll, seen));
    }),
    TAKES_BACK_A_COMMITTED_OFFSET("committed offset goes back", history -> {
        Committed last = last(history);
        history.replace(
                last,
                new Committed(last.group(), last.partition(), last.offset() - 1, last.startNanos(), last.endNanos()));
    }),
    FORGETS_A_COMMITTED_OFFSET("committed offset goes back", history -> {
        Committed last = last(history);
        history.replace(
                last,
                new Committed(last.group(), last.partition(), History.UNKNOWN, last.startNanos(), last.endNanos()));
    }),
    INVENTS_A_COMMITTED_OFFSET("committed offset that nobody committed", history -> {
        Committed last = last(history);
        history.replace(
                last,
                new Committed(last.group(), last.partition(), last.offset() + 9, last.startNanos(), last.endNanos()));
    }),
    LETS_TWO_MEMBERS_PROCESS_A_RECORD("processed twice", history -> {
        List<Write> two = processed(history);
        history.replace(
                two.get(0), Tampering.reading(two.get(0), two.get(1).inputs().get(0)));
    }),
    LETS_TWO_TRANSACTIONS_READ_EACH_OTHER("cycle of reads", history -> {
        List<Write> two = processed(history);
        history.replace(
                two.get(0), Tampering.reading(two.get(0), two.get(1).sent().get(0)));
        history.replace(
                two.get(1), Tampering.reading(two.get(1), two.get(0).sent().get(0)));
    }),
    LETS_A_TRANSACTION_READ_ITSELF("cycle of reads", history -> {
        Write one = processed(history).get(0);
        history.replace(one, Tampering.reading(one, one.sent().get(0)));
    });

    private final String rule;
    private final Consumer<Tampering> change;

    PlantedBug(String rule, Consumer<Tampering> change) {
        this.rule = rule;
        this.change = change;
    }

    /** The rule that must find it. */
    String rule() {
        return rule;
    }

    History in(History history) {
        Tampering tampering = new Tampering(history);
        change.accept(tampering);
        return tampering.history();
    }

    private static Write plain(Tampering history) {
        return history.find(Write.class, one -> !one.isTransaction() && one.result() == Result.OK);
    }

    private static Write committed(Tampering history) {
        return history.find(Write.class, one -> one.isTransaction() && one.result() == Result.OK);
    }

    private static List<Write> processed(Tampering history) {
        return history.all(
                Write.class, one -> one.result() == Result.OK && !one.inputs().isEmpty());
    }

    private static Committed last(Tampering history) {
        List<Committed> all = history.all(Committed.class, one -> one.group().equals("readers") && one.offset() > 0);
        return all.get(all.size() - 1);
    }

    /** Of a reader of committed records; its last record is one of a transaction. */
    private static Poll polled(Tampering history) {
        return history.find(
                Poll.class, one -> one.isCommitted() && last(one).writer().startsWith("transactions"));
    }

    private static Entry last(Poll poll) {
        return poll.seen().get(poll.seen().size() - 1);
    }

    private static Write writer(Tampering history, Poll poll) {
        return history.find(
                Write.class,
                write -> write.sent().stream()
                        .anyMatch(entry -> entry.value().equals(last(poll).value())));
    }

    /** Whether these records of the poll are there, and of one partition. */
    private static boolean samePartition(Poll poll, int first, int second) {
        return poll.seen().size() > second
                && poll.seen()
                        .get(first)
                        .partition()
                        .equals(poll.seen().get(second).partition());
    }
}

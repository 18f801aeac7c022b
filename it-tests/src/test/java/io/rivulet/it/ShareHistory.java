package io.rivulet.it;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the members of a share group received and answered, and when. {@link #violations} says what a share group must
 * not do.
 *
 * <p>Something happens in the broker at a moment between the beginning and the end of a request. Moments are numbers
 * from one counter, so a request that began after another had ended comes after it in the broker, too.
 *
 * <p>Guarded by its monitor.
 */
final class ShareHistory {
    /** What a member says about a record; the number is Kafka's. */
    enum Verdict {
        ACCEPT(1),
        RELEASE(2),
        REJECT(3);

        final byte code;

        Verdict(int code) {
            this.code = (byte) code;
        }
    }

    enum Outcome {
        DONE,
        REFUSED,
        /** The member received no response. */
        UNKNOWN
    }

    /** The place of a record. */
    record Place(int partition, long offset) {}

    static final Comparator<Place> ORDER =
            Comparator.comparing(Place::partition).thenComparing(Place::offset);

    /** A request, from its beginning to its end, as moments and in nanoseconds. */
    record Span(long begun, long ended, long begunNanos, long endedNanos) {
        boolean isBefore(Span other) {
            return ended < other.begun;
        }

        boolean mayBeBefore(Span other) {
            return begun < other.ended;
        }
    }

    record Delivery(int member, Place place, String value, int count, Span span) {}

    record Answer(int member, Place place, Verdict verdict, Outcome outcome, Span span) {}

    /** A dead letter about the record, with its value. */
    record Letter(Place place, @Nullable String value, Ending ending) {}

    /** Why a record was archived. */
    enum Ending {
        REJECTED,
        EXHAUSTED
    }

    /** The member has left, or its connection was closed. */
    record Leave(int member, Span span) {}

    /** @param decided the commit of the transaction of the value, or its write if it has none */
    private record Written(Span decided, boolean aborted) {}

    private final long lockNanos;
    private final int deliveryLimit;
    private final AtomicLong moments = new AtomicLong();
    private final Map<String, Written> written = new HashMap<>();
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<Leave> leaves = new ArrayList<>();
    private List<Letter> letters = List.of();
    /** Kills of the broker, after which no member has anything. */
    private final List<Span> kills = new ArrayList<>();

    /** @param lockMillis how long a member may keep a record */
    ShareHistory(long lockMillis, int deliveryLimit) {
        this.lockNanos = lockMillis * 1_000_000;
        this.deliveryLimit = deliveryLimit;
    }

    // ---- what happened; any thread ----

    /** The beginning of a request. */
    Span begin() {
        return new Span(moments.incrementAndGet(), Long.MAX_VALUE, System.nanoTime(), Long.MAX_VALUE);
    }

    /** The request that has begun there ends now. */
    Span end(Span begun) {
        return new Span(begun.begun, moments.incrementAndGet(), begun.begunNanos, System.nanoTime());
    }

    synchronized void written(String value, Span decided) {
        written.put(value, new Written(decided, false));
    }

    synchronized void aborted(String value, Span decided) {
        written.put(value, new Written(decided, true));
    }

    synchronized void delivered(Delivery one) {
        deliveries.add(one);
    }

    synchronized void answered(Answer one) {
        answers.add(one);
    }

    synchronized void left(int member, Span span) {
        leaves.add(new Leave(member, span));
    }

    synchronized void killed(Span span) {
        kills.add(span);
    }

    /** All dead letters that there are at the end. */
    synchronized void letters(List<Letter> all) {
        letters = List.copyOf(all);
    }

    /** The values that were acknowledged as written and not aborted. */
    synchronized Set<String> values() {
        Set<String> values = new HashSet<>();
        written.forEach((value, one) -> {
            if (!one.aborted) {
                values.add(value);
            }
        });
        return values;
    }

    synchronized int count(Verdict verdict, Outcome outcome) {
        return (int) answers.stream()
                .filter(one -> one.verdict == verdict && one.outcome == outcome)
                .count();
    }

    synchronized int redeliveries() {
        return (int) deliveries.stream().filter(one -> one.count > 1).count();
    }

    // ---- what is wrong ----

    /** Call it when everything has ended and a member has accepted all that was left. */
    synchronized List<String> violations() {
        List<String> found = new ArrayList<>();
        Map<Place, List<Delivery>> received = new TreeMap<>(ORDER);
        deliveries.forEach(one ->
                received.computeIfAbsent(one.place, place -> new ArrayList<>()).add(one));
        Map<Place, List<Answer>> said = new HashMap<>();
        answers.forEach(one ->
                said.computeIfAbsent(one.place, place -> new ArrayList<>()).add(one));
        Set<String> finished = new HashSet<>();
        received.forEach((place, all) -> {
            List<Answer> verdicts = said.getOrDefault(place, List.of());
            all.sort(Comparator.comparing(one -> one.span.begun));
            checkValue(place, all, found);
            checkFinal(all, verdicts, found);
            checkHolders(all, verdicts, found);
            checkCounts(all, verdicts, found);
            checkRefusals(all, verdicts, found);
            checkLetters(all, verdicts, found);
            if (isFinished(all, verdicts)) {
                finished.add(all.get(0).value);
            }
        });
        letters.stream()
                .filter(one -> !received.containsKey(one.place))
                .forEach(one -> found.add("a letter about a record that was not delivered: " + one));
        written.forEach((value, one) -> {
            if (!one.aborted && !finished.contains(value)) {
                found.add(value + " was written, and never accepted, rejected or delivered too often");
            }
        });
        return found;
    }

    /** A place has one value, and each value is one of those that were decided when it was delivered. */
    private void checkValue(Place place, List<Delivery> all, List<String> found) {
        String value = all.get(0).value;
        Written source = written.get(value);
        for (Delivery one : all) {
            if (!one.value.equals(value)) {
                found.add(place + " has two values: " + value + ", " + one.value);
            }
            if (source != null && source.aborted) {
                found.add(value + " was aborted, and delivered: " + one);
            } else if (source != null && !source.decided.mayBeBefore(one.span)) {
                found.add(value + " was delivered before its transaction ended: " + one);
            }
        }
    }

    private static void checkFinal(List<Delivery> all, List<Answer> verdicts, List<String> found) {
        for (Answer end : verdicts) {
            if (end.outcome != Outcome.DONE || end.verdict == Verdict.RELEASE) {
                continue;
            }
            for (Delivery one : all) {
                if (end.span.isBefore(one.span)) {
                    found.add("delivered after " + end + ": " + one);
                }
            }
            for (Answer other : verdicts) {
                if (!other.equals(end) && other.outcome == Outcome.DONE && other.verdict != Verdict.RELEASE) {
                    found.add("two verdicts: " + end + ", " + other);
                }
            }
        }
    }

    /** Between two deliveries, the first member must have lost the record. */
    private void checkHolders(List<Delivery> all, List<Answer> verdicts, List<String> found) {
        for (Delivery first : all) {
            for (Delivery second : all) {
                boolean inOrder = !first.equals(second) && first.span.isBefore(second.span);
                if (inOrder && !mayBeLost(first, second.span, verdicts)) {
                    found.add("delivered while another has it: " + first + ", " + second);
                }
            }
        }
    }

    /** Whether the member may have lost what it got, before the end of that request. */
    private boolean mayBeLost(Delivery got, Span before, List<Answer> verdicts) {
        boolean given = verdicts.stream()
                .anyMatch(one -> one.member == got.member
                        && got.span.isBefore(one.span)
                        && one.span.mayBeBefore(before)
                        && one.outcome != Outcome.REFUSED);
        return given || isLostWithoutAnswer(got, before);
    }

    private boolean isLostWithoutAnswer(Delivery got, Span before) {
        Stream<Span> ends = Stream.concat(
                kills.stream(),
                leaves.stream().filter(one -> one.member == got.member).map(Leave::span));
        return before.endedNanos - got.span.begunNanos >= lockNanos
                || ends.anyMatch(end -> end.mayBeBefore(before) && got.span.mayBeBefore(end));
    }

    /** A count is at most the number of deliveries so far; each one that was released in the log counts. */
    private void checkCounts(List<Delivery> all, List<Answer> verdicts, List<String> found) {
        for (Delivery one : all) {
            long most = all.stream()
                    .filter(other -> other.equals(one) || other.span.mayBeBefore(one.span))
                    .count();
            long least = 1
                    + verdicts.stream()
                            .filter(answer -> answer.verdict == Verdict.RELEASE
                                    && answer.outcome == Outcome.DONE
                                    && answer.span.isBefore(one.span))
                            .count();
            if (one.count > most || one.count < least || one.count > deliveryLimit) {
                found.add("the count must be from " + least + " to " + Math.min(most, deliveryLimit) + ": " + one);
            }
        }
    }

    /** A member that has a record is not refused. */
    private void checkRefusals(List<Delivery> all, List<Answer> verdicts, List<String> found) {
        for (Answer refused : verdicts) {
            if (refused.outcome != Outcome.REFUSED) {
                continue;
            }
            Delivery last = all.stream()
                    .filter(one -> one.member == refused.member && one.span.isBefore(refused.span))
                    .reduce((a, b) -> b)
                    .orElseThrow();
            boolean again = verdicts.stream()
                    .anyMatch(one -> !one.equals(refused)
                            && one.member == refused.member
                            && last.span.isBefore(one.span)
                            && one.span.mayBeBefore(refused.span));
            if (!again && !isLostWithoutAnswer(last, refused.span)) {
                found.add("refused, though it has the record: " + refused);
            }
        }
    }

    /** A record that is archived has one letter, and no other record has any. */
    private void checkLetters(List<Delivery> all, List<Answer> verdicts, List<String> found) {
        Delivery any = all.get(0);
        List<Letter> about =
                letters.stream().filter(one -> one.place.equals(any.place)).toList();
        boolean accepted = isDone(verdicts, Verdict.ACCEPT);
        boolean rejected = isDone(verdicts, Verdict.REJECT);
        boolean mayBeAccepted = maybe(verdicts, Verdict.ACCEPT);
        boolean mayBeRejected = maybe(verdicts, Verdict.REJECT);
        boolean mayBeExhausted = all.stream().anyMatch(one -> one.count >= deliveryLimit);
        if (about.size() > 1) {
            found.add("more than one letter: " + about);
        }
        if (accepted && !about.isEmpty()) {
            found.add("a letter about a record that was accepted: " + about);
        }
        if (about.isEmpty() && (rejected || !mayBeAccepted)) {
            found.add("a record was not accepted, and there is no letter about it: " + any);
        }
        for (Letter one : about) {
            boolean mayBe = one.ending == Ending.REJECTED ? mayBeRejected : mayBeExhausted;
            if (!mayBe || !any.value.equals(one.value)) {
                found.add("a letter about something else: " + one + ", " + any);
            }
        }
    }

    private static boolean isDone(List<Answer> verdicts, Verdict verdict) {
        return verdicts.stream().anyMatch(one -> one.verdict == verdict && one.outcome == Outcome.DONE);
    }

    private static boolean maybe(List<Answer> verdicts, Verdict verdict) {
        return verdicts.stream().anyMatch(one -> one.verdict == verdict && one.outcome != Outcome.REFUSED);
    }

    private boolean isFinished(List<Delivery> all, List<Answer> verdicts) {
        boolean ended =
                verdicts.stream().anyMatch(one -> one.verdict != Verdict.RELEASE && one.outcome != Outcome.REFUSED);
        return ended || all.stream().anyMatch(one -> one.count >= deliveryLimit);
    }
}

package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.fake.FakeClient;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.cluster.ledger.SimulatedOwner.Appended;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Owners of one log, one after the other; a function of its seed. An owner ends by closing the log, by dying, or by
 * being paused: then it goes on while the next one opens the log and after. Messages are late, at some bookies more
 * than at others, bookies are down one at a time, answers to decisions are lost, and no ledger can be made or nothing
 * decided for a while.
 *
 * <p>Invariants:
 * <ol>
 * <li>acknowledged: a group that was acknowledged, by whom and when ever, is there at each later opening.
 * <li>unbroken: the groups that are there are the beginning of those that an owner appended, in order and unaltered,
 * behind those of the owners before. Only trimmed groups are missing at the front. What was missing stays missing.
 * <li>checkpoint: a watermark after which nothing was trimmed can be replayed from.
 * <li>epoch: it grows with each opening.
 * <li>no orphan: after an opening there are no ledgers but those of the log, and what a paused owner has made.
 * <li>opens: nothing of this makes a log refuse to open, and without a mistake of others no owner fails.
 * </ol>
 */
final class LedgerSimulation {
    /** An invariant is broken. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String what, @Nullable Throwable cause) {
            super(what, cause);
        }
    }

    private static final int STEPS = 120;
    private static final int LEDGER_BYTES = 16 << 10;
    private static final int LEDGER_NANOS = 40;
    private static final int LOST_ONE_IN = 3;

    private final long seed;
    private final SplittableRandom random;
    private final FakeEngine engine;
    private final UnaryOperator<CommitLog> bug;
    private final CrashDisk disk = new CrashDisk();
    private final LedgerLogConfig config;
    private long clock;
    private long nextNumber;

    /** What the log held at the last opening, in order; acknowledged or not, it stays. */
    private List<Long> held = new ArrayList<>();
    /** How many of them may be missing at the front. */
    private int trimmable;

    private long checkpointLsn;
    /** The index in {@link #held} of the first group at or after the checkpoint. */
    private int checkpointIndex;

    private long lastEpoch;
    private @Nullable SimulatedOwner owner;
    private final List<SimulatedOwner> paused = new ArrayList<>();

    LedgerSimulation(long seed, FakeEngine.Bug engineBug, UnaryOperator<CommitLog> bug) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.engine = new FakeEngine(random.nextLong(), engineBug);
        this.bug = bug;
        this.config = new LedgerLogConfig(LEDGER_BYTES, LEDGER_NANOS, () -> clock, false);
        engine.duringCalls(this::elsewhere);
    }

    /** How many groups the log held in the end; throws at the first broken invariant. */
    int run(int lives) {
        try {
            for (int life = 0; life < lives; life++) {
                SimulatedOwner now = open();
                live(now);
                end(now);
            }
            open();
            return held.size();
        } catch (IOException | AssertionError | IllegalStateException e) {
            throw new Violation("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    // ---- one life ----

    private void live(SimulatedOwner now) throws IOException {
        now.begin();
        int steps = random.nextInt(STEPS);
        for (int i = 0; i < steps && !now.hasFailed(); i++) {
            clock++;
            step(now);
            now.settle();
        }
        require(
                !now.hasFailed() || isFenced(now),
                "the owner failed without a reason: " + now.log().failure(),
                null);
    }

    /** Nobody else opens the log while this owner lives. */
    private boolean isFenced(SimulatedOwner now) {
        return now != owner;
    }

    private void step(SimulatedOwner now) throws IOException {
        switch (random.nextInt(19)) {
            case 0 -> trim(now);
            case 1 -> now.check();
            case 2 -> engine.takeDown(random.nextInt(engine.bookieCount()));
            case 3 -> engine.allUp();
            case 4 -> engine.full(random.nextInt(3) == 0);
            case 5, 6 -> now.work();
            case 7, 8, 9 -> append(now);
            case 10 -> elsewhere();
            case 11 -> engine.loseAnswers(random.nextInt(3) == 0 ? LOST_ONE_IN : 0);
            case 12 -> engine.cutOff(random.nextInt(3) == 0);
            case 13 -> engine.lateAtAllBut(random.nextInt(2 * engine.bookieCount()) - engine.bookieCount());
            default -> engine.deliverOne();
        }
    }

    private void append(SimulatedOwner now) {
        nextNumber += now.append(nextNumber) ? 1 : 0;
    }

    /** Owners that were paused go on, and messages arrive. */
    private void elsewhere() {
        for (SimulatedOwner old : paused) {
            if (random.nextBoolean()) {
                append(old);
            }
            old.work();
            old.settle();
            requireNothingNew(old);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            engine.deliverOne();
        }
    }

    private void trim(SimulatedOwner now) throws IOException {
        int acknowledged = now.acknowledged();
        if (acknowledged > 0) {
            int index = random.nextInt(acknowledged);
            long lsn = now.appended().get(index).lsn();
            int before = held.size() + index;
            if (before >= checkpointIndex) {
                trimmable = before;
                checkpointIndex = before;
                checkpointLsn = random.nextBoolean() ? lsn : watermarkBefore(now, index, lsn);
                now.log().trimBefore(checkpointLsn);
            }
        }
    }

    /** The end of the group before, as a checkpoint has it. */
    private static long watermarkBefore(SimulatedOwner now, int index, long lsn) {
        Appended before = index == 0 ? null : now.appended().get(index - 1);
        boolean sameLedger = before != null && Lsns.ordinal(before.lsn()) == Lsns.ordinal(lsn);
        return sameLedger || before == null ? lsn : before.endLsn();
    }

    private void end(SimulatedOwner now) throws IOException {
        engine.full(false);
        engine.cutOff(false);
        engine.loseAnswers(0);
        if (random.nextBoolean()) {
            engine.takeDown(random.nextInt(engine.bookieCount()));
        }
        switch (random.nextInt(3)) {
            case 0 -> {
                engine.allUp();
                now.finish();
            }
            case 1 -> now.die();
            default -> paused.add(now);
        }
    }

    // ---- checks ----

    private SimulatedOwner open() throws IOException {
        SimulatedOwner before = owner;
        SimulatedOwner opened = new SimulatedOwner(engine, disk, config, bug, random.split());
        List<Long> there = LogFixture.replay(opened.log());
        require(opened.log().epoch() > lastEpoch, "epoch " + opened.log().epoch() + " was used before", null);
        lastEpoch = opened.log().epoch();
        List<Long> appended = before == null
                ? List.of()
                : before.appended().stream().map(Appended::number).toList();
        int acknowledged = before == null ? 0 : before.acknowledged();
        List<Long> all = new ArrayList<>(held);
        all.addAll(appended);
        int missing = all.size() - there.size();
        int first = there.isEmpty() ? all.size() : all.indexOf(there.get(0));
        require(first >= 0, "group " + (there.isEmpty() ? -1 : there.get(0)) + " was never appended", null);
        require(there.isEmpty() || first <= trimmable, "groups are missing that were not trimmed", null);
        int end = first + there.size();
        require(missing >= 0 && end <= all.size() && all.subList(first, end).equals(there), "broken order", null);
        require(
                end >= held.size() + acknowledged || isAllTrimmed(there, acknowledged),
                "acknowledged groups miss",
                null);
        held = new ArrayList<>(all.subList(0, there.isEmpty() ? held.size() + acknowledged : end));
        requireCheckpoint(opened);
        owner = opened;
        paused.forEach(this::requireNothingNew);
        requireNoOrphan(opened);
        return opened;
    }

    private void requireNoOrphan(SimulatedOwner opened) throws IOException {
        while (opened.work()) {
            // It deletes what nothing needs.
        }
        Set<FakeClient> others = paused.stream().map(SimulatedOwner::client).collect(Collectors.toSet());
        Set<Long> there = engine.ledgersExceptOf(others);
        Engine.Versioned stored = Objects.requireNonNull(engine.client().load("log"));
        Set<Long> ofTheLog = LogRecord.decode("log", stored.bytes()).ledgers().stream()
                .map(LogRecord.Part::id)
                .collect(Collectors.toSet());
        require(ofTheLog.containsAll(there), "of the ledgers " + there + " the log has only " + ofTheLog, null);
    }

    /** A log without a group has nothing that is not trimmed. */
    private boolean isAllTrimmed(List<Long> there, int acknowledged) {
        return there.isEmpty() && trimmable >= held.size() + acknowledged;
    }

    private void requireCheckpoint(SimulatedOwner opened) throws IOException {
        if (checkpointIndex > 0) {
            require(opened.log().hasAllFrom(checkpointLsn), "the checkpoint is trimmed", null);
            require(checkpointLsn <= opened.log().writtenLsn(), "the log ends before the checkpoint", null);
            List<Long> later = LogFixture.replay(opened.log(), checkpointLsn);
            require(later.equals(held.subList(checkpointIndex, held.size())), "another replay than at first", null);
        }
    }

    /** What an owner of the past acknowledges must be in the log. */
    private void requireNothingNew(SimulatedOwner old) {
        SimulatedOwner now = owner;
        if (now != null && now != old) {
            Set<Long> there = new HashSet<>(held);
            for (int i = 0; i < old.acknowledged(); i++) {
                long number = old.appended().get(i).number();
                require(there.contains(number), "group " + number + " was acknowledged by an owner of the past", null);
            }
        }
    }

    private void require(boolean holds, String what, @Nullable Throwable cause) {
        if (!holds) {
            throw new Violation("seed " + seed + ": " + what, cause);
        }
    }
}

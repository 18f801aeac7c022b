package io.rivulet.store.log.local;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.AppendOutcome;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.log.LogGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * Lives of one log, each ended by a power cut at any moment, also during its opening; a function of its seed. The next
 * life starts on what the cut left. Before that, the results of further cuts of the same life are opened and checked.
 *
 * <p>Invariants, checked at each opening:
 * <ol>
 * <li>acknowledged: every group that was durable before the cut is there.
 * <li>unbroken: the groups that are there are the beginning of those that were appended, in order and unaltered. Groups
 * that an earlier opening found missing are not there. Only trimmed groups are missing at the front.
 * <li>epoch: it is greater than that of any earlier append.
 * <li>snapshot: the loaded snapshot is the one that was saved last, or one whose saving had begun since.
 * <li>opens: a power cut alone never makes a log refuse to open.
 * </ol>
 */
final class CrashSimulation {
    /** An invariant is broken. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String what, Throwable cause) {
            super(what, cause);
        }

        Violation(String what) {
            super(what);
        }
    }

    private static final LocalLogConfig CONFIG = LocalLogConfig.DEFAULT
            .withGroups(4, 4096)
            .withSegmentBytes(16 << 10)
            .withSpareSegments(1);
    /**
     * In every other life: the append itself then writes the two smallest sizes, and some of them are forced by {@code
     * forceLeft}.
     */
    private static final int IN_PLACE_BYTES = 2048;

    private static final int LOOKS_PER_LIFE = 6;
    /**
     * Few sizes, so that a group often ends where one of an earlier epoch ended. Three of the largest fill a segment.
     */
    private static final int[] SIZES = {50, 50, 700, 1500, 4036, 4036};

    private final long seed;
    private final SplittableRandom random;
    private final UnaryOperator<Disk> bug;
    private CrashDisk disk = new CrashDisk();
    /** The groups that the log holds or may hold, in the order of their appends, over all lives. */
    private List<Long> history = new ArrayList<>();

    private long nextNumber;
    private long snapshotsBegun;
    private int states;

    /** Facts that are certain from some moment of a life's trace on. */
    private record Fact(int moment, int durableCount, int trimmedCount, long epoch, long savedSnapshot) {}

    /** The current life: a fact for each step; the first one was known before the life began. */
    private final List<Fact> facts = new ArrayList<>(List.of(new Fact(0, 0, 0, 0, 0)));

    /** @param bug a disk between log and disk that has a bug; the identity for a correct run */
    CrashSimulation(long seed, UnaryOperator<Disk> bug) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.bug = bug;
    }

    /** How many states were opened; throws at the first one that breaks an invariant. */
    int run(int lives) {
        for (int life = 0; life < lives; life++) {
            live();
            int moments = disk.traceLength();
            for (int look = 0; look < LOOKS_PER_LIFE; look++) {
                lookAt(random.nextInt(moments + 1), random.nextLong());
            }
            die(random.nextInt(moments + 1), random.nextLong());
        }
        return states;
    }

    private void live() {
        ManualWorkers workers = new ManualWorkers("log-io", "log-force");
        FaultyDisk fallible = new FaultyDisk(bug.apply(disk));
        Deque<LogGroup> unwritten = new ArrayDeque<>();
        try {
            LocalCommitLog log = LocalCommitLog.open(
                    fallible, CONFIG.withInPlace(random.nextBoolean() ? IN_PLACE_BYTES : 0), () -> {}, workers);
            List<Long> lsns = new ArrayList<>();
            int before = history.size();
            int steps = random.nextInt(60);
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(10)) {
                    case 0 -> trim(log, lsns);
                    case 1 -> saveSnapshot(log);
                    case 2 -> workers.runPending("log-force");
                    case 3 -> forceSomehow(log, workers);
                    case 4 -> fullDisk(fallible, unwritten, workers);
                    case 5, 6 -> workers.runPending("log-io");
                    default -> append(log, unwritten, lsns);
                }
                settle(log, unwritten, lsns);
                note(log, before, lsns);
            }
            if (random.nextInt(3) == 0) {
                workers.eager();
                settle(log, unwritten, lsns);
                log.close();
                note(log, before, lsns);
            }
        } catch (IOException | AppendException e) {
            throw new Violation("seed " + seed + ": a log without faults failed", e);
        }
    }

    private static void forceSomehow(LocalCommitLog log, ManualWorkers workers) {
        if (!log.forceLeft()) {
            workers.runPending("log-force");
        }
    }

    private void append(LocalCommitLog log, Deque<LogGroup> unwritten, List<Long> lsns) throws AppendException {
        LogGroup group = log.acquireGroup();
        if (group != null) {
            long number = nextNumber++;
            LogFixture.fill(group, number, SIZES[random.nextInt(SIZES.length)]);
            history.add(number);
            lsns.add(log.append(group));
            unwritten.add(group);
        }
    }

    /** One of the waiting groups finds no space. */
    private void fullDisk(FaultyDisk fallible, Deque<LogGroup> unwritten, ManualWorkers workers) {
        if (!unwritten.isEmpty()) {
            fallible.fullAtNthWrite(1 + random.nextInt(unwritten.size()), random.nextInt(100));
            workers.runPending("log-io");
        }
    }

    /** Releases written groups, and removes withdrawn ones. */
    private void settle(LocalCommitLog log, Deque<LogGroup> unwritten, List<Long> lsns) {
        log.withdrawRefused();
        while (!unwritten.isEmpty() && !unwritten.getLast().isAppended()) {
            log.releaseGroup(unwritten.removeLast());
            lsns.remove(lsns.size() - 1);
            history.remove(history.size() - 1);
        }
        while (!unwritten.isEmpty() && unwritten.getFirst().lsn() < log.writtenLsn()) {
            log.releaseGroup(unwritten.removeFirst());
        }
    }

    private void trim(LocalCommitLog log, List<Long> lsns) throws IOException {
        int durable = 0;
        while (durable < lsns.size() && LogFixture.outcome(log, lsns.get(durable)) == AppendOutcome.DURABLE) {
            durable++;
        }
        if (durable > 0) {
            int index = random.nextInt(durable);
            Fact last = lastFact();
            int trimmed = Math.max(last.trimmedCount, history.size() - lsns.size() + index);
            facts.add(new Fact(disk.traceLength(), last.durableCount, trimmed, last.epoch, last.savedSnapshot));
            log.trimBefore(lsns.get(index));
        }
    }

    private void saveSnapshot(LocalCommitLog log) throws IOException {
        long value = ++snapshotsBegun;
        log.saveSnapshot("view", out -> out.write(ByteBuffer.allocate(2000).putLong(0, value)));
        Fact last = lastFact();
        facts.add(new Fact(disk.traceLength(), last.durableCount, last.trimmedCount, last.epoch, value));
    }

    private void note(LocalCommitLog log, int before, List<Long> lsns) {
        int durable = before;
        for (long lsn : lsns) {
            durable += LogFixture.outcome(log, lsn) == AppendOutcome.DURABLE ? 1 : 0;
        }
        Fact last = lastFact();
        long epoch = lsns.isEmpty() ? last.epoch : log.epoch();
        facts.add(new Fact(disk.traceLength(), durable, last.trimmedCount, epoch, last.savedSnapshot));
    }

    private Fact lastFact() {
        return facts.get(facts.size() - 1);
    }

    private Fact factAt(int moment) {
        Fact latest = facts.get(0);
        for (Fact fact : facts) {
            latest = fact.moment <= moment ? fact : latest;
        }
        return latest;
    }

    private void lookAt(int moment, long cutSeed) {
        check(disk.afterPowerCut(moment, cutSeed), moment, cutSeed);
    }

    /** Continues with what the cut has left. What was found missing must stay missing. */
    private void die(int moment, long cutSeed) {
        Found found = check(disk.afterPowerCut(moment, cutSeed), moment, cutSeed);
        Fact then = factAt(moment);
        history = new ArrayList<>(history.subList(0, found.endCount));
        disk = disk.afterPowerCut(moment, cutSeed);
        facts.clear();
        int trimmed = Math.max(then.trimmedCount, found.missingAtFront);
        facts.add(new Fact(0, found.endCount, trimmed, then.epoch, found.snapshot));
        snapshotsBegun = Math.max(snapshotsBegun, found.snapshot);
        openAndLeave();
    }

    /**
     * Makes the groups durable that were found, as the model assumes from now on, and adds an opening without an
     * append.
     */
    private void openAndLeave() {
        ManualWorkers workers = new ManualWorkers("none");
        try {
            LocalCommitLog.open(bug.apply(disk), CONFIG, () -> {}, workers);
        } catch (IOException e) {
            throw new Violation("seed " + seed + ": the log does not open twice", e);
        }
        disk = disk.afterPowerCut(disk.traceLength(), random.nextLong());
    }

    private record Found(int missingAtFront, int endCount, long snapshot) {}

    private Found check(CrashDisk left, int moment, long cutSeed) {
        states++;
        String where = "seed " + seed + ", cut at " + moment + " with " + cutSeed + ": ";
        Fact then = factAt(moment);
        List<Long> numbers;
        long[] snapshot = new long[1];
        try (CommitLog log = LocalCommitLog.open(bug.apply(left), CONFIG, () -> {}, new InlineWorkers())) {
            numbers = LogFixture.replay(log);
            if (log.epoch() <= then.epoch) {
                throw new Violation(where + "epoch " + log.epoch() + " has been used before");
            }
            log.loadSnapshot("view", in -> {
                ByteBuffer value = ByteBuffer.allocate(2000);
                in.read(value);
                snapshot[0] = value.getLong(0);
            });
        } catch (IOException | AssertionError e) {
            throw new Violation(where + "the log does not open, or holds what it should not", e);
        }
        if (snapshot[0] < then.savedSnapshot || snapshot[0] > snapshotsBegun) {
            throw new Violation(where + "snapshot " + snapshot[0] + " instead of " + then.savedSnapshot);
        }
        return compare(where, numbers, then, snapshot[0]);
    }

    private Found compare(String where, List<Long> numbers, Fact then, long snapshot) {
        int start = numbers.isEmpty() ? then.durableCount : history.indexOf(numbers.get(0));
        if (start < 0) {
            throw new Violation(where + "group " + numbers.get(0) + " should not be there");
        }
        if (start > then.trimmedCount && !(numbers.isEmpty() && then.durableCount == then.trimmedCount)) {
            throw new Violation(where + "groups before " + start + " miss, only " + then.trimmedCount + " are trimmed");
        }
        int end = start + numbers.size();
        if (end > history.size() || !history.subList(start, end).equals(numbers)) {
            throw new Violation(where + numbers + " is not a part of " + history);
        }
        if (end < then.durableCount) {
            throw new Violation(where + "only " + end + " groups of " + then.durableCount + " acknowledged ones");
        }
        return new Found(start, end, snapshot);
    }
}

package io.rivulet.store.maintenance;

import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.checkpoint.Checkpointer.ViewStates;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.retention.Retention;
import io.rivulet.store.sweep.Sweeper;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of the background thread, step by step: sweeps while the tail is too full or the log too long, ends each
 * sweep cycle with a checkpoint, and then trims the log. Between two steps of the sweep it trims old records and merges
 * block files.
 *
 * <p>On a full disk nothing changes, and the next signal tries again. Any other failure fails the store, which then
 * rejects appends: they could not continue for long without maintenance. When the store has failed elsewhere,
 * maintenance ends, because views may hold half of a group.
 *
 * <p>Owned by: background thread, except what any thread may call.
 */
public final class Maintenance {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    /** What maintenance needs from the log writer. */
    public interface LogWriterSide {
        /** Every group before this has been applied. */
        long appliedLsn();

        /** How many queues were created or moved to another class since the process started, including the replay. */
        long changedQueues();

        /** Captures the states of all views between two groups, after all earlier actions. */
        CompletableFuture<ViewStates> viewStates();

        /** Wakes the log writer: whether the disk is full has changed. */
        void signal();
    }

    /** Steps of an overdue merge for each step of the sweep: a merge reads as much as it writes, and must catch up. */
    private static final int OVERDUE_MERGE_STEPS = 3;
    /** While retention is wanted, so many steps of the others come between two of its own. */
    private static final int STEPS_BETWEEN_RETENTION = 3;

    /** How often files are checked for records that can still be read; always at the end of a cycle. */
    private static final int SECONDS_BETWEEN_CHECKS = 10;

    private final MaintenanceConfig config;
    private final CommitLog log;
    private final Tail tail;
    private final Sweeper sweeper;
    private final Checkpointer checkpointer;
    private final BlockRegistry registry;
    private final MergeTask merging;
    private final @Nullable CompactionTask compacting;
    private final ObsoleteFiles obsoleteFiles;
    private final HugeBatches huge;
    private final HugeBatches.StartOffsets startOffsets;
    private final Retention retention;
    private final StoreClock clock;
    private final LogWriterSide writer;
    private final FailureLatch failures;

    private long cycleStartLsn;
    /** Where the current cycle began, and where the last one began: a restart would replay from there. */
    private Position cycleStart;

    private volatile Position replayStart;
    /**
     * Set while a cycle has ended without its checkpoint. Captured once, because each new request would signal
     * maintenance again.
     */
    private @Nullable CompletableFuture<ViewStates> ending;

    private volatile boolean diskFull;
    private volatile boolean stopping;
    private int steps;
    private boolean retained;
    private int stepsOfOthers;
    private boolean mergedLast;
    private int seconds;
    /** By the monotonic clock. */
    private long cycleStartMillis;

    private long sweptUpToMillis;
    private CompletableFuture<Void> agedSweep = CompletableFuture.completedFuture(null);
    private final Queue<Wish> wishes = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ticks = new AtomicInteger();
    private final AtomicLong cyclesDone = new AtomicLong();

    public Maintenance(
            MaintenanceConfig config,
            CommitLog log,
            Tail tail,
            MaintenanceParts parts,
            LogWriterSide writer,
            ReplayResult replayed,
            FailureLatch failures) {
        this.config = config;
        this.log = log;
        this.tail = tail;
        this.sweeper = parts.sweeper();
        this.checkpointer = parts.checkpointer();
        this.registry = parts.registry();
        this.merging = parts.merging();
        this.compacting = parts.compacting();
        this.obsoleteFiles = parts.obsoleteFiles();
        this.huge = parts.huge();
        this.startOffsets = parts.startOffsets();
        this.retention = parts.retention();
        this.clock = parts.clock();
        this.writer = writer;
        this.failures = failures;
        this.cycleStartLsn = registry.manifest().replayLsn();
        this.cycleStart = new Position(writtenBytes() - replayed.bytes(), 0);
        this.sweptUpToMillis = clock.elapsedMillis() - Math.max(0, clock.stampMillis() - replayed.firstTimestamp());
        this.cycleStartMillis = sweptUpToMillis;
        this.replayStart = cycleStart;
    }

    // ---- any thread ----

    /** Whether there is something to do; cheap. */
    public boolean isNeeded() {
        return isSweepNeeded()
                || retention.isWanted()
                || merging.isWanted()
                || (compacting != null && compacting.isWanted())
                || tail.wantsMemory();
    }

    private boolean isSweepNeeded() {
        return tail.usedChunks() > sweepFromUsedChunks()
                || replayBytes() > config.maxReplayBytes()
                || writer.changedQueues() - replayStart.changedQueues > config.maxReplayedQueues()
                || !wishes.isEmpty();
    }

    /**
     * While more chunks of the tail are in use, it is swept: a quarter of it stays free, and at least enough for one
     * record. Computed each time, because the tail is shorter than configured if the JVM has no memory for all of it.
     */
    private int sweepFromUsedChunks() {
        int capacity = tail.capacityChunks();
        int keptFree = Math.max(capacity / Tail.UNSWEPT_SHARE, tail.largestRecordChunks());
        return Math.max(0, capacity - keptFree);
    }

    /**
     * Requests whole cycles until everything that is applied now is in block files and the log is trimmed. Takes effect
     * with the next signal.
     */
    public CompletableFuture<Void> sweepEverything() {
        // The current cycle may have passed some queues already.
        return sweepCycles(2);
    }

    private CompletableFuture<Void> sweepCycles(int count) {
        Wish wish = new Wish(cyclesDone.get() + count, new CompletableFuture<>());
        wishes.add(wish);
        return wish.granted;
    }

    /** A second has passed; takes effect with the next signal. */
    public void tick() {
        ticks.incrementAndGet();
    }

    /** Sweep cycles that ended with a checkpoint. */
    public long cyclesDone() {
        return cyclesDone.get();
    }

    public MergeCounters merges() {
        return merging.meter();
    }

    /** Files that compaction has written. */
    public long compactions() {
        return compacting == null ? 0 : compacting.compactions();
    }

    public long compactedBytes() {
        return compacting == null ? 0 : compacting.compactedBytes();
    }

    /** Whether the last try found the disk full. */
    public boolean isDiskFull() {
        return diskFull;
    }

    /** Begins no more steps: the store is about to close, and the rest of the work may take long. */
    public void stopSoon() {
        stopping = true;
    }

    private record Wish(long cycles, CompletableFuture<Void> granted) {}

    /** Progress: bytes of log written, queues changed. */
    private record Position(long bytes, long changedQueues) {}

    private long writtenBytes() {
        return log.counters().writtenBytes();
    }

    private long replayBytes() {
        return writtenBytes() - replayStart.bytes;
    }

    // ---- background thread ----

    /** Works until nothing is needed, or until it has to wait for a signal. */
    public void work() {
        try {
            boolean progress = true;
            while (!stopping && !failures.isSet() && progress) {
                passTime();
                progress = step();
            }
        } catch (ShortageException e) {
            waitForSpace(e);
        } catch (Throwable e) {
            failures.fail(e);
        }
        Throwable cause = failures.cause();
        if (cause != null) {
            refuseWishes(cause);
        }
    }

    /** Also between two steps: while clients append enough, there is always one more. */
    private void passTime() throws IOException {
        for (int passed = ticks.getAndSet(0); passed > 0 && !failures.isSet(); passed--) {
            second();
        }
        if (compacting != null && compacting.hasNewLimits()) {
            compacting.findCandidates();
            sweepOldRecords();
        }
    }

    private void waitForSpace(ShortageException e) {
        if (!diskFull) {
            LIMIT.log(more -> LOG.warn("Maintenance waits for space: {}{}", e.getMessage(), more));
            diskFull = true;
            writer.signal();
        }
    }

    private void hasSpace() {
        if (diskFull) {
            diskFull = false;
            LIMIT.log(more -> LOG.info("Maintenance has space again{}", more));
        }
    }

    private void refuseWishes(Throwable cause) {
        for (Wish wish = wishes.poll(); wish != null; wish = wishes.poll()) {
            wish.granted.completeExceptionally(cause);
        }
    }

    /**
     * First the log writer's memory, then the sweep, then the merge. But an overdue merge runs between sweep steps, and
     * retention has one step after some of the others, which may go on for ever.
     */
    private boolean step() throws IOException {
        if (tail.wantsMemory()) {
            tail.prepareMemory();
        }
        if (++stepsOfOthers > STEPS_BETWEEN_RETENTION && retention.isWanted() && retain()) {
            stepsOfOthers = 0;
            return true;
        }
        boolean mergeFirst = merging.isOverdue() && ++steps % (OVERDUE_MERGE_STEPS + 1) != 0;
        if (mergeFirst && rewrite()) {
            return true;
        }
        boolean sweeps = ending != null || isSweepNeeded();
        boolean swept = ending != null ? endCycle(ending) : sweeps && sweep();
        if (!sweeps) {
            hasSpace();
        }
        return swept || retain() || rewrite();
    }

    private void second() throws IOException {
        clock.observe();
        merging.tick();
        retention.tick();
        if (compacting != null) {
            compacting.tick();
        }
        sweepOldRecords();
        seconds++;
        if (seconds % SECONDS_BETWEEN_CHECKS == 0) {
            removeObsolete();
        }
    }

    private void sweepOldRecords() {
        if (agedSweep.isDone() && retention.wantsSweep(sweptUpToMillis)) {
            // The current cycle may have passed some queues already.
            boolean going = ending != null || !sweeper.isAtCycleStart();
            agedSweep = sweepCycles(going ? 2 : 1);
        }
    }

    /** Trims queues by age and size. When there is nothing more to trim, removes files without readable records. */
    private boolean retain() throws IOException {
        if (retention.step()) {
            retained = true;
            return true;
        }
        if (retained && !retention.isWanted()) {
            retained = false;
            removeObsolete();
        }
        return false;
    }

    private void removeObsolete() throws IOException {
        try {
            if (obsoleteFiles.remove()) {
                registry.trimLog();
                merging.filesChanged();
            }
            huge.removeUnreadable(startOffsets);
        } catch (ShortageException e) {
            LOG.warn("Files without readable records stay: no space for a new manifest. {}", e.getMessage());
        }
    }

    /** Merges or compacts: never both at the same time, and alternately if both are wanted. */
    private boolean rewrite() {
        CompactionTask compaction = compacting;
        if (compaction == null) {
            return merge();
        }
        boolean compactsNext = compaction.isGoing() || (!merging.isGoing() && (mergedLast || compaction.isSearching()));
        boolean progress = compactsNext ? compaction.step(sweeper.cycle()) : merge();
        if (!progress && !compaction.isGoing() && !merging.isGoing()) {
            progress = compactsNext ? merge() : compaction.step(sweeper.cycle());
            mergedLast = compactsNext;
        } else {
            mergedLast = !compactsNext;
        }
        return progress;
    }

    private boolean merge() {
        return merging.step(sweeper.cycle(), log.sizeBytes() - replayBytes() - log.preparedBytes());
    }

    private boolean sweep() throws IOException {
        if (sweeper.isAtCycleStart()) {
            cycleStartLsn = writer.appliedLsn();
            cycleStartMillis = clock.elapsedMillis();
            cycleStart = new Position(Math.max(cycleStart.bytes, writtenBytes()), writer.changedQueues());
        }
        long files = sweeper.finishedFiles();
        Sweeper.Progress progress = sweeper.sweep(config.stepBytes());
        if (sweeper.finishedFiles() > files) {
            hasSpace();
        }
        if (progress == Sweeper.Progress.CYCLE_ENDED) {
            ending = writer.viewStates();
        }
        return progress != Sweeper.Progress.WAITING;
    }

    /** False if the log writer has not answered yet. */
    private boolean endCycle(CompletableFuture<ViewStates> states) throws IOException {
        if (!states.isDone()) {
            return false;
        }
        checkpointer.checkpoint(cycleStartLsn, states.join());
        ending = null;
        hasSpace();
        sweptUpToMillis = cycleStartMillis;
        retention.cycleEnded(sweeper.cycle() - 1);
        if (compacting != null) {
            compacting.cycleEnded(sweeper.cycle() - 1);
        }
        replayStart = cycleStart;
        cyclesDone.incrementAndGet();
        registry.removeSuperseded();
        obsoleteFiles.remove();
        huge.removeUnreadable(startOffsets);
        registry.trimLog();
        merging.filesChanged();
        grantWishes();
        return true;
    }

    private void grantWishes() {
        List<Wish> granted =
                wishes.stream().filter(wish -> wish.cycles <= cyclesDone.get()).toList();
        wishes.removeAll(granted);
        granted.forEach(wish -> wish.granted.complete(null));
    }

    /** Abandons unfinished work; the store is about to close. */
    public void stop() {
        sweeper.abandonFile();
        merging.stop();
        if (compacting != null) {
            compacting.stop();
        }
        refuseWishes(new IOException("the store is closed"));
    }
}

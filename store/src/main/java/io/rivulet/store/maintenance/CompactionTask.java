package io.rivulet.store.maintenance;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.block.read.BlockSnapshot;
import io.rivulet.store.block.read.BlockSnapshot.Placed;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.compact.QueueCompactor;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.maintenance.CompactionCandidates.Run;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.retention.RetentionTable;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the current compaction step by step and starts the next one. Never runs during a merge: which blocks a file
 * replaces would depend on which of both ends first.
 *
 * <p>A failure here does not fail the store. A queue that can't be compacted is skipped until the store is opened
 * again.
 *
 * <p>Crash policy: a compacted file is added to the manifest when it is complete, and replaces at that moment all
 * blocks from which it was made; before that it is deleted by a restart.
 *
 * <p>Owned by: background thread, except {@link #isWanted}, {@link #hasNewLimits} and {@link #compactions}.
 */
public final class CompactionTask {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionTask.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    private static final long FAILURE_PAUSE_MILLIS = 60_000;

    private final CompactionConfig config;
    private final RetentionTable table;
    private final QueueTable queues;
    private final BlockRegistry registry;
    private final BatchFormat format;
    private final LogPayloads log;
    private final HugeBatches huge;
    private final StoreClock clock;
    private final long timestampBase;
    private final CompactionCandidates candidates;
    private final Set<Integer> skipped = new HashSet<>();
    private final AbortedRecordRemovals removals = new AbortedRecordRemovals();

    private volatile Map<Integer, RetentionLimits> limits = Map.of();
    private volatile long classings;
    private boolean compacts;
    private long searchedElapsedMillis;
    private long pausedUntilMillis = Long.MIN_VALUE;
    private @Nullable Going going;
    private volatile boolean wanted;
    /** Whether new limits take effect at once, as the first change of each second does. */
    private volatile boolean listens;

    private volatile long compactions;
    private volatile long compactedBytes;

    public CompactionTask(
            CompactionConfig config,
            RetentionTable table,
            QueueTable queues,
            BlockRegistry registry,
            BatchFormat format,
            LogPayloads log,
            HugeBatches huge,
            StoreClock clock,
            long timestampBase) {
        this.config = config;
        this.table = table;
        this.queues = queues;
        this.registry = registry;
        this.format = format;
        this.log = log;
        this.huge = huge;
        this.clock = clock;
        this.timestampBase = timestampBase;
        this.candidates = new CompactionCandidates(
                table,
                queues,
                registry.files(),
                format,
                timestampBase,
                config.limits().targetFileBytes());
    }

    /** The output for a run of queues. */
    private record Going(Run run, BlockSnapshot files, BlockFileWriter writer, QueueCompactor compactor, int queueId) {
        Going at(int newQueueId) {
            return new Going(run, files, writer, compactor, newQueueId);
        }
    }

    // ---- any thread ----

    /** Whether a step may find something to do. */
    public boolean isWanted() {
        return wanted || hasNewLimits();
    }

    /** Whether limits or classes have changed and the change does not wait for the next tick. */
    boolean hasNewLimits() {
        return listens && hasChanged();
    }

    private boolean hasChanged() {
        return table.limits() != limits || queues.classings() != classings;
    }

    /** Files written since the store was opened. */
    public long compactions() {
        return compactions;
    }

    /** Bytes of these files. */
    public long compactedBytes() {
        return compactedBytes;
    }

    // ---- background thread ----

    boolean isGoing() {
        return going != null;
    }

    /** Whether files are waiting to be searched, which comes before a merge that removes them. */
    boolean isSearching() {
        return wanted && candidates.isSearching();
    }

    private boolean isPaused() {
        return clock.elapsedMillis() < pausedUntilMillis;
    }

    /** A second has passed. */
    void tick() {
        removals.notifyFormat(queues, format);
        if (!isPaused()) {
            findCandidates();
            listens = true;
        }
    }

    /**
     * Searches all files if limits or classes have changed or a queue is due. Further changes wait for the next tick,
     * and all wait for queues that were found before: another search would find these again.
     */
    void findCandidates() {
        listens = false;
        if (isGoing() || candidates.hasWork()) {
            wanted = true;
            return;
        }
        long millis = clock.expiryMillis();
        long elapsed = clock.elapsedMillis();
        boolean changed = hasChanged();
        if (changed) {
            classings = queues.classings();
            limits = table.limits();
            compacts = limits.values().stream().anyMatch(limit -> limit.compaction() != null);
        }
        boolean isDue = candidates.nextDueMillis() <= millis || millis < candidates.nowMillis();
        boolean passed = isDue && elapsed - searchedElapsedMillis >= config.pauseMillis();
        if (compacts && (changed || passed)) {
            candidates.addAllFiles();
            searchedElapsedMillis = elapsed;
        }
        wanted = isGoing() || candidates.hasWork();
    }

    /** The sweep has ended a cycle: the queues in its files have grown. */
    void cycleEnded(long cycle) {
        if (compacts && !isPaused()) {
            candidates.addFiles(registry.files().ofSweep(cycle));
            wanted = isGoing() || candidates.hasWork();
        }
    }

    /**
     * Does a bounded amount of work; false when there is none.
     *
     * @param completeBefore the cycle that is being swept
     */
    boolean step(long completeBefore) {
        if (!wanted) {
            return false;
        }
        try {
            Going now = going;
            Run next = now == null && !candidates.isSearching() ? candidates.poll() : null;
            if (now != null) {
                advance(now);
            } else if (next != null) {
                going = begin(next);
            } else if (candidates.isSearching()) {
                candidates.searchNext(completeBefore, clock.expiryMillis(), skipped);
            } else {
                wanted = false;
                return false;
            }
        } catch (ShortageException e) {
            LOG.warn("Compaction waits for space: {}", e.getMessage());
            pause();
        } catch (IOException e) {
            LOG.warn("A compaction failed; it will be tried again", e);
            pause();
        } catch (RuntimeException e) {
            skip(e);
        }
        return true;
    }

    private @Nullable Going begin(Run run) throws IOException {
        CompactionTerms terms = candidates.terms(run.firstQueueId());
        if (terms == null) {
            return null; // Deleted, or no longer compacted.
        }
        BlockSnapshot files = registry.files().snapshot();
        boolean begun = false;
        try {
            int level = files.levelAbove(run.firstQueueId(), run.lastQueueId());
            BlockFileWriter writer =
                    registry.beginCompacted(level, run.lastCycle(), run.firstQueueId(), config.limits());
            QueueCompactor compactor = new QueueCompactor(
                    format,
                    files,
                    log,
                    huge,
                    config.memoryBytes(),
                    config.limits().targetBlockBytes(),
                    timestampBase,
                    terms);
            begun = true;
            LOG.debug("Compacting {} at level {}", run, level);
            return new Going(run, files, writer, compactor, run.firstQueueId() - 1);
        } finally {
            if (!begun) {
                files.close();
            }
        }
    }

    private void advance(Going now) throws IOException {
        QueueCompactor compactor = now.compactor();
        long enough = compactor.workedBytes() + config.stepBytes();
        boolean more = now.queueId() >= now.run().firstQueueId() && compactor.step(now.writer());
        while (more && compactor.workedBytes() < enough) {
            more = compactor.step(now.writer());
        }
        if (!more && !beginNextQueue(now)) {
            finish(now);
        }
    }

    /** False when there is none. */
    private boolean beginNextQueue(Going now) throws IOException {
        for (int queueId = now.queueId() + 1; queueId <= now.run().lastQueueId(); queueId++) {
            long startOffset = queues.exists(queueId) ? queues.startOffset(queueId) : Long.MAX_VALUE;
            List<Placed> blocks = now.files().blocksOf(queueId).stream()
                    .filter(placed ->
                            placed.file().footer().lastCycle() <= now.run().lastCycle()
                                    && placed.block().endOffset() > startOffset)
                    .toList();
            going = now.at(queueId);
            if (!blocks.isEmpty()) {
                CompactionTerms terms = candidates.terms(queueId);
                if (terms == null) { // No longer compacted; the other queues of the run are searched again.
                    giveUp();
                    candidates.addAllFiles();
                    return true;
                }
                if (format.listsAborted(queueId)) {
                    removals.begin(
                            queueId, blocks.get(blocks.size() - 1).block().endOffset());
                }
                long endOffset = queues.endOffset(queueId);
                now.compactor().begin(queueId, blocks, endOffset, terms, clock);
                return true;
            }
        }
        return false;
    }

    private void finish(Going now) throws IOException {
        long bytes = now.writer().finish(now.run().lastQueueId()).totalBytes();
        going = null;
        now.files().close();
        registry.enter(now.writer().origin().id());
        compactedBytes = compactedBytes() + bytes;
        compactions = compactions() + 1;
        huge.remove(now.compactor().removedHuge());
        registry.removeSuperseded();
        registry.trimLog();
        removals.published();
        removals.notifyFormat(queues, format);
    }

    private void skip(RuntimeException e) {
        Going failed = going;
        if (failed == null) {
            LOG.error("Block files can't be searched for queues to compact", e);
        } else {
            skipped.add(failed.queueId());
            int queueId = failed.queueId();
            LIMIT.log(more ->
                    LOG.warn("Queue {} can't be compacted and is skipped until the next start{}", queueId, more, e));
            candidates.addAllFiles();
        }
        giveUp();
    }

    private void pause() {
        giveUp();
        pausedUntilMillis = clock.elapsedMillis() + FAILURE_PAUSE_MILLIS;
        limits = Map.of(); // Searches all files again.
        wanted = false;
        listens = false;
    }

    private void giveUp() {
        Going given = going;
        going = null;
        removals.giveUp();
        if (given != null) {
            given.writer().abandon();
            given.files().close();
        }
    }

    /** Abandons the unfinished file: the store is about to close. */
    void stop() {
        wanted = false;
        listens = false;
        giveUp();
    }
}

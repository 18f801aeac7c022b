package io.rivulet.store.retention;

import io.rivulet.store.CompactionTerms;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.time.StoreClock;
import io.rivulet.store.writer.TrimRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trims queues that hold older or more data than their class allows. It never visits all queues. For each block file it
 * knows when some data may next be too old, and then reads its directory. After a sweep cycle it measures the queues of
 * that cycle whose class has a size limit. A queue is trimmed from its start by whole blocks. So a batch is never cut,
 * and old data after younger data waits. Retention may be late, never early.
 *
 * <p>Each trim is an entry of the log; the trims of one file are in flight at a time.
 *
 * <p>Crash policy: nothing is stored; after a restart each file is checked again when it is due.
 *
 * <p>Owned by: background thread, except {@link #isWanted}.
 */
public final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    /** A file is checked again after this part of the smallest age, within bounds. */
    private static final int LATENESS = 32;

    private static final long MIN_PAUSE_MILLIS = 1_000;
    private static final long MAX_PAUSE_MILLIS = 300_000;
    private static final long NEVER = Long.MAX_VALUE;

    /** What retention needs from the rest of the store. */
    public interface Surroundings {
        /** False if the log writer has no room now. */
        boolean offer(TrimRequest request);

        /** Signals that there may be more to do. */
        void signal();
    }

    private final RetentionTable table;
    private final QueueTable queues;
    private final BlockFiles files;
    private final Surroundings surroundings;
    private final StoreClock clock;
    private final long timestampBase;
    private final long minTailAgeMillis;
    private final QueueSizeTrimmer sizeTrimmer;

    private Map<Integer, RetentionLimits> limits = Map.of();
    private long smallestAgeMillis = NEVER;
    private long smallestTailAgeMillis = NEVER;
    private final Map<Long, Long> dueMillis = new HashMap<>();
    private int clockChanges;
    /**
     * By file number: the {@link StoreClock#elapsedMillis} of the first check of each file whose time was revoked or is
     * missing.
     */
    private final Map<Long, Long> firstCheckMillis = new HashMap<>();

    private final Deque<BlockFile> due = new ArrayDeque<>();

    private @Nullable TrimRequest request;
    private boolean offered;
    private long walkedFileNumber;
    private volatile boolean answered;
    private volatile boolean wanted;

    /** @param minTailAgeMillis a smaller age causes no more sweep cycles */
    public Retention(
            RetentionTable table,
            QueueTable queues,
            BlockFiles files,
            Surroundings surroundings,
            StoreClock clock,
            long timestampBase,
            long minTailAgeMillis) {
        this.table = table;
        this.queues = queues;
        this.files = files;
        this.surroundings = surroundings;
        this.clock = clock;
        this.timestampBase = timestampBase;
        this.minTailAgeMillis = minTailAgeMillis;
        this.sizeTrimmer = new QueueSizeTrimmer(table, queues, files);
    }

    /** Any thread: whether a step may find something to do. */
    public boolean isWanted() {
        return wanted;
    }

    /** Called once a second: finds the files that are due. */
    public void tick() {
        takeLimits();
        wanted = request != null || !due.isEmpty() || sizeTrimmer.hasWork();
        if (smallestAgeMillis == NEVER || !due.isEmpty()) {
            return;
        }
        long now = clock.expiryMillis();
        if (clock.changes() != clockChanges) {
            clockChanges = clock.changes();
            dueMillis.clear();
        }
        for (BlockFile file : files.files()) {
            if (dueMillis.computeIfAbsent(file.fileNumber(), number -> firstDue(file, now)) < now) {
                due.add(file);
            }
        }
        Set<Long> there = files.files().stream().map(BlockFile::fileNumber).collect(Collectors.toSet());
        dueMillis.keySet().retainAll(there);
        firstCheckMillis.keySet().retainAll(there);
        wanted |= !due.isEmpty();
    }

    private void takeLimits() {
        Map<Integer, RetentionLimits> now = table.limits();
        if (now != limits) {
            limits = now;
            dueMillis.clear();
            smallestAgeMillis = now.values().stream()
                    .filter(RetentionLimits::limitsAge)
                    .mapToLong(RetentionLimits::maxAgeMillis)
                    .min()
                    .orElse(NEVER);
            smallestTailAgeMillis = now.values().stream()
                    .map(RetentionLimits::compaction)
                    .filter(Objects::nonNull)
                    .mapToLong(CompactionTerms::maxTailMillis)
                    .reduce(smallestAgeMillis, Math::min);
        }
    }

    /** Nothing in the file expires before this time. For batches without a timestamp, the directory must be read. */
    private long firstDue(BlockFile file, long now) {
        long timestamp = timestampBase + file.footer().minTimestampDelta();
        return timestamp < 0 ? 0 : after(believable(file, timestamp, now), smallestAgeMillis);
    }

    /**
     * A revoked time says nothing about age, and the time of a file may be unknown. Such data is as old as the first
     * check of its file. The monotonic clock measures this age, because the wall clock may be wrong again.
     */
    private long believable(BlockFile file, long timestamp, long now) {
        long time = file.timeOf(timestamp);
        if (time >= 0 && !clock.isTakenBack(time)) {
            return time;
        }
        long elapsed = clock.elapsedMillis();
        return now - (elapsed - firstCheckMillis.computeIfAbsent(file.fileNumber(), number -> elapsed));
    }

    private static long after(long timestamp, long ageMillis) {
        return timestamp > NEVER - ageMillis ? NEVER : timestamp + ageMillis;
    }

    /**
     * Whether the tail may hold data that is too old. Only data in block files expires or is compacted.
     *
     * @param sweptUpToMillis data that arrived before this {@link StoreClock#elapsedMillis} is in block files
     */
    public boolean wantsSweep(long sweptUpToMillis) {
        takeLimits();
        return smallestTailAgeMillis != NEVER
                && clock.elapsedMillis() - sweptUpToMillis > Math.max(smallestTailAgeMillis, minTailAgeMillis)
                && queues.dirty().nextSet(0) >= 0;
    }

    /** The sweep has ended a cycle: the queues in its files have grown. */
    public void cycleEnded(long cycle) {
        takeLimits();
        if (limits.values().stream().anyMatch(RetentionLimits::limitsBytes)) {
            files.ofSweep(cycle).forEach(sizeTrimmer::add);
            wanted |= sizeTrimmer.hasWork();
        }
    }

    /** Does a bounded amount of work; false if there is none, or if the log writer must answer first. */
    public boolean step() {
        TrimRequest waiting = request;
        if (waiting != null) {
            return offerOrEnd(waiting);
        }
        BlockFile file = due.poll();
        if (file == null && !sizeTrimmer.hasWork()) {
            wanted = false;
            return false;
        }
        TrimRequest trims = new TrimRequest(this::answered);
        try {
            if (file != null) {
                walk(file, trims);
            } else {
                sizeTrimmer.step(trims);
            }
        } catch (IOException e) {
            LIMIT.log(more ->
                    LOG.warn("Old data in a block file stays for now, because the file can't be read{}", more, e));
        }
        request = trims.count() > 0 ? trims : null;
        return true;
    }

    private boolean offerOrEnd(TrimRequest waiting) {
        if (!offered) {
            answered = false;
            wanted = false;
            offered = surroundings.offer(waiting);
            return offered;
        }
        if (!answered) {
            return false;
        }
        if (waiting.isFailed()) {
            dueMillis.put(walkedFileNumber, clock.expiryMillis() + MAX_PAUSE_MILLIS);
        }
        offered = false;
        request = null;
        wanted = true;
        return true;
    }

    /** On the log-writer thread. */
    private void answered() {
        answered = true;
        wanted = true;
        surroundings.signal();
    }

    private void walk(BlockFile file, TrimRequest trims) throws IOException {
        long now = clock.expiryMillis();
        long pause = Math.min(MAX_PAUSE_MILLIS, Math.max(MIN_PAUSE_MILLIS, smallestAgeMillis / LATENESS));
        long[] next = {NEVER};
        walkedFileNumber = file.fileNumber();
        dueMillis.put(file.fileNumber(), now + MAX_PAUSE_MILLIS); // If it can't be read.
        file.forEachBlock(block -> {
            long expires = expires(file, block, now);
            long startOffset = trims.startOffsetOr(block.queueId(), queues.startOffset(block.queueId()));
            if (expires == NEVER || block.endOffset() <= startOffset) {
                return;
            }
            if (expires < now && block.baseOffset() <= startOffset) {
                trims.put(block.queueId(), block.endOffset());
            } else {
                next[0] = Math.min(next[0], Math.max(expires, now + pause));
            }
        });
        dueMillis.put(file.fileNumber(), next[0]);
    }

    private long expires(BlockFile file, BlockEntry block, long now) {
        RetentionLimits limit = limits.get(queues.retentionClass(block.queueId()));
        long timestamp = timestampBase + block.maxTimestampDelta();
        if (limit == null || !limit.limitsAge() || !queues.exists(block.queueId())) {
            return NEVER;
        }
        return after(believable(file, timestamp, now), limit.maxAgeMillis());
    }
}

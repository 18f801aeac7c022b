package io.rivulet.store.maintenance;

import io.rivulet.store.BatchFormat;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.read.BlockSnapshot;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.retention.RetentionTable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the queues to compact. Reads only the directories of files, one file after the other, and measures the queues
 * whose class is compacted. Neighbouring queues become one run.
 *
 * <p>A block with references counts with the average size in its file.
 *
 * <p>Memory: some numbers for each compacted queue of one file, at most 64 Ki of them at a time. Owned by: background
 * thread.
 */
final class CompactionCandidates {
    static final long NEVER = Long.MAX_VALUE;

    private static final int QUEUES_AT_ONCE = 1 << 16;
    private static final int PERMILLE = 1000;

    /** Neighbouring queues, and the cycle up to which they are compacted. Immutable. */
    record Run(int firstQueueId, int lastQueueId, long lastCycle) {}

    private final RetentionTable limits;
    private final QueueTable queues;
    private final BlockFiles files;
    private final BatchFormat format;
    private final long timestampBase;
    private final long maxRunBytes;
    private final Deque<BlockFile> filesToSearch = new ArrayDeque<>();
    private final Deque<Run> due = new ArrayDeque<>();

    private int[] queueIds = new int[0];
    private int count;
    private int done;
    private long nextDueMillis = NEVER;

    private long nowMillis = Long.MIN_VALUE;
    private long completeBefore;
    private int current;
    private long[] cleanBytes = new long[0];
    private long[] dirtyBytes = new long[0];
    private long[] oldestMillis = new long[0];
    private long[] lastCycles = new long[0];
    private long[] fileNumbers = new long[0];
    private long[] bytesInFile = new long[0];

    CompactionCandidates(
            RetentionTable limits,
            QueueTable queues,
            BlockFiles files,
            BatchFormat format,
            long timestampBase,
            long maxRunBytes) {
        this.limits = limits;
        this.queues = queues;
        this.files = files;
        this.format = format;
        this.timestampBase = timestampBase;
        this.maxRunBytes = maxRunBytes;
    }

    /** How the queue is compacted; null if it is not. */
    @Nullable
    CompactionTerms terms(int queueId) {
        return queues.exists(queueId)
                ? limits.of(queues.retentionClass(queueId)).compaction()
                : null;
    }

    void addFiles(List<BlockFile> newFiles) {
        filesToSearch.addAll(newFiles);
    }

    void addAllFiles() {
        filesToSearch.clear();
        addFiles(files.files().stream()
                .filter(file -> !file.footer().isCompacted())
                .toList());
        nextDueMillis = NEVER;
    }

    /** When the next queue becomes due. */
    long nextDueMillis() {
        return nextDueMillis;
    }

    /** When files were searched last. If the time is earlier now, the clock was set back. */
    long nowMillis() {
        return nowMillis;
    }

    @Nullable
    Run poll() {
        return due.poll();
    }

    boolean isSearching() {
        return done < count || !filesToSearch.isEmpty();
    }

    boolean hasWork() {
        return !due.isEmpty() || isSearching();
    }

    /** Reads which queues are in the next file, or measures some of them. */
    void searchNext(long sweptBefore, long now, Set<Integer> skipped) throws IOException {
        if (done == count) {
            takeQueues(filesToSearch.remove(), skipped);
            return;
        }
        completeBefore = sweptBefore;
        nowMillis = now;
        int from = done;
        int to = Math.min(count, from + QUEUES_AT_ONCE);
        done = to;
        cleanBytes = new long[to - from];
        dirtyBytes = new long[to - from];
        oldestMillis = new long[to - from];
        lastCycles = new long[to - from];
        fileNumbers = new long[to - from];
        bytesInFile = new long[to - from];
        current = 0;
        Arrays.fill(oldestMillis, NEVER);
        Arrays.fill(lastCycles, NEVER);
        try (BlockSnapshot snapshot = files.snapshot()) {
            snapshot.forEachBlockOf(queueIds, from, to, (file, block) -> weigh(from, to, file, block));
        }
        joinNeighbours(from, to);
    }

    private void takeQueues(BlockFile file, Set<Integer> skipped) throws IOException {
        count = 0;
        done = 0;
        file.forEachBlock(block -> {
            int queueId = block.queueId();
            boolean again = count > 0 && queueIds[count - 1] == queueId;
            if (!again && terms(queueId) != null && !skipped.contains(queueId)) {
                if (count == queueIds.length) {
                    queueIds = Arrays.copyOf(queueIds, Math.max(64, 2 * count));
                }
                queueIds[count++] = queueId;
            }
        });
    }

    private void weigh(int from, int to, BlockFile file, BlockEntry block) {
        int queueId = block.queueId();
        CompactionTerms terms = terms(queueId);
        if (terms == null || block.endOffset() <= queues.startOffset(queueId)) {
            return;
        }
        if (from + current >= to || queueIds[from + current] != queueId) {
            current = Arrays.binarySearch(queueIds, from, to, queueId) - from;
        }
        long bytes = bytes(file, block);
        if (file.footer().isCompacted()) {
            cleanBytes[current] += bytes;
        } else if (lastCycles[current] == NEVER) {
            weighDirty(file, block, terms, bytes);
        }
    }

    private void weighDirty(BlockFile file, BlockEntry block, CompactionTerms terms, long bytes) {
        long millis = file.timeOf(timestampBase + block.maxTimestampDelta());
        long from = after(millis, terms.minLagMillis());
        boolean complete = file.footer().lastCycle() < completeBefore;
        boolean decided = block.endOffset() <= format.compactableBefore(block.queueId());
        if (complete && decided && (terms.minLagMillis() == 0 || from <= nowMillis)) {
            bytesInFile[current] = file.fileNumber() == fileNumbers[current] ? bytesInFile[current] + bytes : bytes;
            fileNumbers[current] = file.fileNumber();
            dirtyBytes[current] += bytes;
            oldestMillis[current] = Math.min(oldestMillis[current], millis);
            return;
        }
        lastCycles[current] = file.footer().firstCycle() - 1;
        if (file.fileNumber() == fileNumbers[current]) {
            dirtyBytes[current] -= bytesInFile[current]; // Cycles are compacted as a whole.
        }
        if (complete) {
            // Nothing says when undecided transactions end: searched again after the next pause.
            nextDueMillis = Math.min(nextDueMillis, decided ? from : nowMillis);
        }
    }

    private static long after(long millis, long lag) {
        return millis > NEVER - lag ? NEVER : millis + lag;
    }

    private static long bytes(BlockFile file, BlockEntry block) {
        long referenced = file.footer().referencedBytes();
        if (referenced == 0) {
            return block.streamBytes();
        }
        return (long)
                (block.streamBytes() * (1 + (double) referenced / file.footer().totalBytes()));
    }

    private void joinNeighbours(int from, int to) {
        int first = -1;
        int last = -1;
        long runBytes = 0;
        long lastCycle = NEVER;
        for (int i = from; i < to; i++) {
            if (!isDue(i - from, queueIds[i])) {
                continue;
            }
            long bytes = cleanBytes[i - from] + dirtyBytes[i - from];
            boolean joins = first >= 0
                    && last == i - 1
                    && queueIds[i] == queueIds[last] + 1
                    && lastCycles[i - from] == lastCycle
                    && runBytes + bytes <= maxRunBytes;
            if (!joins) {
                first = i;
                runBytes = 0;
                lastCycle = lastCycles[i - from];
            } else {
                due.removeLast();
            }
            last = i;
            runBytes += bytes;
            due.add(new Run(queueIds[first], queueIds[i], Math.min(lastCycle, completeBefore - 1)));
        }
    }

    private boolean isDue(int index, int queueId) {
        CompactionTerms terms = terms(queueId);
        long dirty = dirtyBytes[index];
        if (terms == null || dirty == 0) {
            return false;
        }
        if (dirty * PERMILLE > (dirty + cleanBytes[index]) * terms.minDirtyPermille()
                || format.listsTooManyAborted(queueId)) {
            return true;
        }
        long latest = after(oldestMillis[index], terms.maxLagMillis());
        if (latest > nowMillis) {
            nextDueMillis = Math.min(nextDueMillis, latest);
            return false;
        }
        return true;
    }
}

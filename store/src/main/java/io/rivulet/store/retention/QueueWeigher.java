package io.rivulet.store.retention;

import io.rivulet.store.block.BlockFile;
import io.rivulet.store.block.BlockFiles;
import io.rivulet.store.block.BlockReader;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.writer.TrimRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Weighs the queues that are in some files, a few at a time, and trims those that are too heavy: as long as the rest still has the
 * bytes that its class allows. What is in the tail does not count yet.
 *
 * <p>Owned by: background thread.
 */
final class QueueWeigher {
    private static final int QUEUES_AT_ONCE = 1024;
    /** More cycles than this do not wait: a queue that is passed over is weighed when it is touched again. */
    private static final int MAX_FILES = 64;

    private final RetentionTable limits;
    private final QueueTable queues;
    private final BlockReader reader;
    private final Deque<BlockFile> files = new ArrayDeque<>();

    private int[] queueIds = new int[QUEUES_AT_ONCE];
    private int count;
    private int next;

    private long[] endOffsets = new long[64];
    private long[] weights = new long[64];
    private int pieces;

    QueueWeigher(RetentionTable limits, QueueTable queues, BlockFiles files) {
        this.limits = limits;
        this.queues = queues;
        this.reader = new BlockReader(files, 0);
    }

    void add(BlockFile file) {
        files.add(file);
        if (files.size() > MAX_FILES) {
            files.remove();
        }
    }

    boolean hasWork() {
        return next < count || !files.isEmpty();
    }

    /** Reads which queues are in the next file, or weighs some of them. */
    void step(TrimRequest trims) throws IOException {
        if (next == count) {
            takeQueues(files.remove());
            return;
        }
        for (int end = Math.min(count, next + QUEUES_AT_ONCE); next < end; next++) {
            int queueId = queueIds[next];
            if (queues.exists(queueId)) {
                weigh(queueId, limits.of(queues.retentionClass(queueId)).maxBytesPerQueue(), trims);
            }
        }
    }

    private void takeQueues(BlockFile file) throws IOException {
        count = 0;
        next = 0;
        file.forEachBlock(block -> {
            boolean again = count > 0 && queueIds[count - 1] == block.queueId();
            if (!again && limits.of(queues.retentionClass(block.queueId())).limitsBytes()) {
                if (count == queueIds.length) {
                    queueIds = Arrays.copyOf(queueIds, 2 * count);
                }
                queueIds[count++] = block.queueId();
            }
        });
    }

    private void weigh(int queueId, long maxBytes, TrimRequest trims) throws IOException {
        long startOffset = queues.startOffset(queueId);
        pieces = 0;
        reader.forEachPiece(queueId, startOffset, this::note);
        long rest = 0;
        for (int i = 0; i < pieces; i++) {
            rest += weights[i];
        }
        for (int i = 0; i < pieces && rest - weights[i] >= maxBytes; i++) {
            rest -= weights[i];
            if (endOffsets[i] > startOffset) {
                trims.put(queueId, endOffsets[i]);
            }
        }
    }

    private void note(long endOffset, long bytes) {
        if (pieces == weights.length) {
            endOffsets = Arrays.copyOf(endOffsets, 2 * pieces);
            weights = Arrays.copyOf(weights, 2 * pieces);
        }
        endOffsets[pieces] = endOffset;
        weights[pieces] = bytes;
        pieces++;
    }
}

package io.rivulet.store.retention;

import io.rivulet.store.RetentionLimits;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.read.BlockReader;
import io.rivulet.store.block.read.BlockReader.PieceVisitor;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.writer.TrimRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Adds up the sizes of the queues in some files, many queues at a time, and trims queues that are too large. The rest
 * always has at least the bytes that the class allows. Records in the tail do not count yet.
 *
 * <p>Sizes are added up file by file, so that directories are read in order and each page once. Blocks are kept in
 * arrays; those of one queue form a linked list.
 *
 * <p>Owned by: background thread.
 */
final class QueueSizeTrimmer implements PieceVisitor {
    private static final int QUEUES_AT_ONCE = 1024;
    /** No more cycles than this wait: a skipped queue is measured when it is appended to again. */
    private static final int MAX_FILES = 64;

    private static final int NONE = -1;

    private final RetentionTable limits;
    private final QueueTable queues;
    private final BlockReader reader;
    private final Deque<BlockFile> files = new ArrayDeque<>();

    private int[] queueIds = new int[QUEUES_AT_ONCE];
    private int count;
    /** The queues of this round: the first, and the one after the last. */
    private int from;

    private int to;
    /** The queue of the last block: within a file, blocks of a queue are neighbours. */
    private int current;

    private final int[] firstPiece = new int[QUEUES_AT_ONCE];
    private final int[] lastPiece = new int[QUEUES_AT_ONCE];
    private final long[] weights = new long[QUEUES_AT_ONCE];
    private int pieces;
    private int[] nextPiece = new int[QUEUES_AT_ONCE];
    private long[] pieceEnds = new long[QUEUES_AT_ONCE];
    private long[] pieceBytes = new long[QUEUES_AT_ONCE];

    QueueSizeTrimmer(RetentionTable limits, QueueTable queues, BlockFiles files) {
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
        return to < count || !files.isEmpty();
    }

    /** Reads which queues are in the next file, or measures some of them. */
    void step(TrimRequest trims) throws IOException {
        if (to == count) {
            takeQueues(files.remove());
            return;
        }
        from = to;
        to = Math.min(count, from + QUEUES_AT_ONCE);
        current = 0;
        pieces = 0;
        Arrays.fill(firstPiece, NONE);
        Arrays.fill(weights, 0);
        reader.forEachPiece(queueIds, from, to, this);
        for (int i = 0; i < to - from; i++) {
            trim(i, trims);
        }
    }

    private void takeQueues(BlockFile file) throws IOException {
        count = 0;
        to = 0;
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

    @Override
    public long startOffset(int queueId) {
        return queues.startOffset(queueId);
    }

    @Override
    public void piece(int queueId, long endOffset, long bytes) {
        if (queueIds[from + current] != queueId) {
            current = Arrays.binarySearch(queueIds, from, to, queueId) - from;
        }
        if (pieces == nextPiece.length) {
            nextPiece = Arrays.copyOf(nextPiece, 2 * pieces);
            pieceEnds = Arrays.copyOf(pieceEnds, 2 * pieces);
            pieceBytes = Arrays.copyOf(pieceBytes, 2 * pieces);
        }
        nextPiece[pieces] = NONE;
        pieceEnds[pieces] = endOffset;
        pieceBytes[pieces] = bytes;
        if (firstPiece[current] == NONE) {
            firstPiece[current] = pieces;
        } else {
            nextPiece[lastPiece[current]] = pieces;
        }
        lastPiece[current] = pieces;
        weights[current] += bytes;
        pieces++;
    }

    /** The limit may have been removed, or the queue deleted, since the queue was listed. */
    private void trim(int index, TrimRequest trims) {
        int queueId = queueIds[from + index];
        RetentionLimits limit = limits.of(queues.retentionClass(queueId));
        if (!limit.limitsBytes() || !queues.exists(queueId)) {
            return;
        }
        long rest = weights[index];
        for (int piece = firstPiece[index];
                piece != NONE && rest - pieceBytes[piece] >= limit.maxBytesPerQueue();
                piece = nextPiece[piece]) {
            rest -= pieceBytes[piece];
            trims.put(queueId, pieceEnds[piece]);
        }
    }
}

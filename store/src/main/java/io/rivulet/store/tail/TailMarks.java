package io.rivulet.store.tail;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Places within long chains, so that a reader without a cursor need not walk from the head. One chunk in 256, chosen by
 * its handle, sets a mark when a record after its beginning is published. A short chain has none, a long one has one
 * for each 64 KiB, and nothing must be counted or removed. A mark is a cursor without an owner: it is valid while its
 * offset is above the tail's start.
 *
 * <p>Set by the log-writer thread, searched by any; each mark is immutable.
 */
final class TailMarks {
    /** A record of the queue ends at this offset and this place. */
    record Mark(int queueId, long offset, long place) {}

    private final int everyChunks;
    private final AtomicReferenceArray<@Nullable Mark> marks;

    /** The last acquired chunk that will set a mark, and its queue. Used by the log writer only. */
    private int pendingChunk;

    private int pendingQueueId;

    TailMarks(int capacityChunks, int everyChunks) {
        this.everyChunks = everyChunks;
        this.marks = new AtomicReferenceArray<>(capacityChunks / everyChunks + 1);
    }

    /** The chunk was added to the queue's chain. */
    void added(int chunk, int queueId) {
        if (chunk % everyChunks == 0) {
            pendingChunk = chunk;
            pendingQueueId = queueId;
        }
    }

    /** The queue's chain was removed, with or without a pending mark. */
    void forget(int queueId) {
        if (isPending(queueId)) {
            pendingChunk = ChunkPool.NONE;
        }
    }

    /** Whether the queue's chain has a chunk that will set a mark. */
    boolean isPending(int queueId) {
        return pendingChunk != ChunkPool.NONE && pendingQueueId == queueId;
    }

    /** The record that was appended last was published and ends here. */
    void leave(int queueId, long offset, long place) {
        marks.setRelease(pendingChunk / everyChunks, new Mark(queueId, offset, place));
        pendingChunk = ChunkPool.NONE;
    }

    /**
     * The queue's highest mark in {@code (above, upTo]}, or null. Searches all marks: for readers that are far behind.
     */
    @Nullable
    Mark find(int queueId, long above, long upTo) {
        Mark best = null;
        long bestOffset = above;
        for (int i = 0; i < marks.length(); i++) {
            Mark mark = marks.getAcquire(i);
            if (mark != null && mark.queueId == queueId && mark.offset > bestOffset && mark.offset <= upTo) {
                best = mark;
                bestOffset = mark.offset;
            }
        }
        return best;
    }
}

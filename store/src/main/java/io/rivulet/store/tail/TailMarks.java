package io.rivulet.store.tail;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Places within long chains, so that a reader without a cursor need not walk from the head. One chunk in 256, chosen by
 * its handle, leaves a mark when a record has been published behind its beginning: a short chain has none, a long one
 * one for each 64 KiB, and nothing has to be counted or removed. A mark is a cursor that nobody holds: it is good
 * while its offset is above the tail's start.
 *
 * <p>Set by the log-writer thread, searched by any; each mark is immutable.
 */
final class TailMarks {
    /** The queue's record that ends at the offset ends at the place. */
    record Mark(int queueId, long offset, long place) {}

    private final int everyChunks;
    private final AtomicReferenceArray<@Nullable Mark> marks;

    /** The last chunk acquired that is to leave a mark, and for which queue. The log writer's alone. */
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

    /** The queue's chain is gone, with or without a mark to leave. */
    void forget(int queueId) {
        if (isPending(queueId)) {
            pendingChunk = ChunkPool.NONE;
        }
    }

    /** Whether the queue's chain has a chunk that is to leave a mark. */
    boolean isPending(int queueId) {
        return pendingChunk != ChunkPool.NONE && pendingQueueId == queueId;
    }

    /** The record that was appended last was published and ends here. */
    void leave(int queueId, long offset, long place) {
        marks.setRelease(pendingChunk / everyChunks, new Mark(queueId, offset, place));
        pendingChunk = ChunkPool.NONE;
    }

    /** The queue's highest mark in {@code (above, upTo]}, or null. Looks at all marks: for readers who are far off. */
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

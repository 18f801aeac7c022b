package io.rivulet.store.tail;

import java.util.Arrays;

/**
 * What a sweep has copied from the tail, queue by queue, for {@link Tail#releaseAll} once it is durable and visible: 32
 * bytes for each queue, and its chunks. With this list the chains need not be walked to free them, where each step is a
 * cache miss.
 *
 * <p>The chunks of a queue are noted when they are entered, from the chunk of the tail's start to the chunk of the
 * boundary; {@link #add} closes the row.
 *
 * <p>Owned by: the sweeper, until it passes it to the log-writer thread through a queue or another release and acquire.
 */
public final class TailReleases {
    int[] queueIds = new int[64];
    long[] oldStarts = new long[64];
    long[] newStarts = new long[64];
    long[] boundaries = new long[64];

    /** Where the chunks of each queue end. */
    int[] chunkEnds = new int[64];

    int[] chunks = new int[64];
    private int count;
    private int chunkCount;

    /** The queue's tail was copied from this offset to the cursor; its chunks are those noted since the last row. */
    public void add(int queueId, long tailStart, TailCursor copied) {
        int i = count;
        if (i == queueIds.length) {
            grow();
        }
        queueIds[i] = queueId;
        oldStarts[i] = tailStart;
        newStarts[i] = copied.endOffset();
        boundaries[i] = copied.boundary();
        chunkEnds[i] = chunkCount;
        count = i + 1;
    }

    public int count() {
        return count;
    }

    public void clear() {
        count = 0;
        chunkCount = 0;
    }

    /** Forgets the chunks that were noted since the last {@link #add}. */
    public void forget() {
        chunkCount = chunksFrom(count);
    }

    int chunksFrom(int index) {
        return index == 0 ? 0 : chunkEnds[index - 1];
    }

    int noted() {
        return chunkCount - chunksFrom(count);
    }

    void note(int chunk) {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        chunks[chunkCount++] = chunk;
    }

    /**
     * Keeps this many of the chunks noted since the last {@link #add}, and returns the last one; {@link ChunkPool#NONE}
     * if there is none.
     */
    int keep(int kept) {
        chunkCount = chunksFrom(count) + kept;
        return kept == 0 ? ChunkPool.NONE : chunks[chunkCount - 1];
    }

    private void grow() {
        int length = 2 * queueIds.length;
        queueIds = Arrays.copyOf(queueIds, length);
        oldStarts = Arrays.copyOf(oldStarts, length);
        newStarts = Arrays.copyOf(newStarts, length);
        boundaries = Arrays.copyOf(boundaries, length);
        chunkEnds = Arrays.copyOf(chunkEnds, length);
    }
}

package io.rivulet.store.tail;

import java.util.Arrays;

/**
 * What a sweep has copied from the tail, queue by queue, for {@link Tail#releaseAll} once it is durable and visible: 32 bytes for each
 * queue, and the chunks that it went through. So whoever frees them need not walk the chains, where each step is a miss of the cache.
 *
 * <p>The chunks of a queue are noted as they are entered, from that in which the tail starts to that in which the boundary stands;
 * {@link #add} closes the row.
 *
 * <p>Owned by: the sweeper, until it hands it over to the log-writer thread by a queue or another release and acquire.
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

    /** The queue's tail was copied from this offset up to where the cursor stands; its chunks are those noted since the last one. */
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

    /** Keeps so many of those that were noted since the last {@link #add}, and returns the last one; of none, {@link ChunkPool#NONE}. */
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

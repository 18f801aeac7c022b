package io.rivulet.store.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One bit for each queue that has a chain in the tail, and a summary with one bit for each word that is not zero: the
 * cost of a scan depends on what it finds, not on the number of queues.
 *
 * <p>Set and cleared by the log-writer thread only, scanned by any thread. A scan sees every bit that was set before an
 * event that happened before the scan (such as the message that started the sweep cycle) and not cleared since. It may
 * or may not see concurrent changes.
 */
public final class DirtyQueues {
    private static final int CHUNK_SHIFT = QueueTable.CHUNK_SHIFT;
    private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;
    private static final int WORDS = 1 << (CHUNK_SHIFT - 6);
    private static final int SUMMARY_WORDS = WORDS >>> 6;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /** Each chunk: {@link #WORDS} with the bits, then {@link #SUMMARY_WORDS} with a bit for each of them. */
    private final ChunkTable chunks = new ChunkTable();

    DirtyQueues() {}

    /** Log writer: the queue has a chain. */
    public void set(int queueId) {
        long[] chunk = chunkForWrite(queueId >>> CHUNK_SHIFT);
        int word = (queueId & CHUNK_MASK) >>> 6;
        put(chunk, word, chunk[word] | 1L << queueId);
        int summary = WORDS + (word >>> 6);
        put(chunk, summary, chunk[summary] | 1L << word);
    }

    /** Log writer: the queue's chain is empty. */
    public void clear(int queueId) {
        long[] chunk = chunkForWrite(queueId >>> CHUNK_SHIFT);
        int word = (queueId & CHUNK_MASK) >>> 6;
        put(chunk, word, chunk[word] & ~(1L << queueId));
        if (chunk[word] == 0) {
            int summary = WORDS + (word >>> 6);
            put(chunk, summary, chunk[summary] & ~(1L << word));
        }
    }

    /** Any thread: whether the queue has a chain. */
    public boolean isSet(int queueId) {
        long[] chunk = chunks.get(queueId >>> CHUNK_SHIFT);
        return chunk != null && (get(chunk, (queueId & CHUNK_MASK) >>> 6) & 1L << queueId) != 0;
    }

    /** Any thread: the lowest dirty queue that is not below {@code from}, or -1. */
    public int nextSet(int from) {
        int within = from & CHUNK_MASK;
        for (int index = from >>> CHUNK_SHIFT; index < chunks.limit(); index++) {
            long[] chunk = chunks.get(index);
            int found = chunk == null ? -1 : nextSet(chunk, within);
            if (found >= 0) {
                return index << CHUNK_SHIFT | found;
            }
            within = 0;
        }
        return -1;
    }

    private static int nextSet(long[] chunk, int from) {
        int word = from >>> 6;
        long bits = get(chunk, word) & -1L << from;
        while (bits == 0) {
            word = nextWord(chunk, word + 1);
            if (word < 0) {
                return -1;
            }
            bits = get(chunk, word);
        }
        return word << 6 | Long.numberOfTrailingZeros(bits);
    }

    private static int nextWord(long[] chunk, int from) {
        if (from == WORDS) {
            return -1;
        }
        int summary = from >>> 6;
        long bits = get(chunk, WORDS + summary) & -1L << from;
        while (bits == 0) {
            if (++summary == SUMMARY_WORDS) {
                return -1;
            }
            bits = get(chunk, WORDS + summary);
        }
        return summary << 6 | Long.numberOfTrailingZeros(bits);
    }

    /** Log writer: no queue of the chunk exists any more. */
    void dropChunk(int index) {
        chunks.set(index, null);
    }

    private long[] chunkForWrite(int index) {
        long[] chunk = chunks.get(index);
        if (chunk == null) {
            chunk = new long[WORDS + SUMMARY_WORDS];
            chunks.set(index, chunk);
        }
        return chunk;
    }

    private static long get(long[] chunk, int index) {
        return (long) WORD.getOpaque(chunk, index);
    }

    private static void put(long[] chunk, int index, long value) {
        WORD.setRelease(chunk, index, value);
    }
}

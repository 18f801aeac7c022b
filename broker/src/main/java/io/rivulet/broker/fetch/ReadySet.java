package io.rivulet.broker.fetch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A set of numbers from 0 on, as bits. Above them is a bit for each word that is not zero, and above that a bit for
 * each chunk of words. So the next member is found in three steps, however few members there are.
 *
 * <p>Any thread may call {@link #set}; its owner calls the other methods. To set a member again writes nothing.
 */
final class ReadySet {
    static final int MAX_SIZE = 1 << 24;

    private static final int CHUNK_SHIFT = 12;
    private static final int WORDS = 64;
    /** The index of the word with the bits for the words of the chunk. */
    private static final int SUMMARY = WORDS;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /** Copied when it grows. The chunks stay the same objects, so no bit is lost. */
    private volatile long[][] chunks = {};

    /** A bit for each chunk. Only large sets use the last words. */
    private final long[] top = new long[MAX_SIZE >>> CHUNK_SHIFT >>> 6];

    /** Makes room for the numbers below {@code size}. */
    void grow(int size) {
        int needed = (size + (1 << CHUNK_SHIFT) - 1) >>> CHUNK_SHIFT;
        int before = chunks.length;
        if (needed > before) {
            long[][] grown = Arrays.copyOf(chunks, needed);
            for (int i = before; i < needed; i++) {
                grown[i] = new long[WORDS + 1];
            }
            chunks = grown;
        }
    }

    /** Any thread. */
    void set(int member) {
        int index = member >>> CHUNK_SHIFT;
        long[] chunk = chunks[index];
        int word = member >>> 6 & WORDS - 1;
        ensure(chunk, word, 1L << member);
        ensure(chunk, SUMMARY, 1L << word);
        ensure(top, index >>> 6, 1L << index);
    }

    private static void ensure(long[] words, int index, long bit) {
        if (((long) WORD.getVolatile(words, index) & bit) == 0) {
            WORD.getAndBitwiseOr(words, index, bit);
        }
    }

    /** A member that another thread sets meanwhile stays, and this thread sees what happened before that. */
    void clear(int member) {
        int index = member >>> CHUNK_SHIFT;
        long[] chunk = chunks[index];
        int word = member >>> 6 & WORDS - 1;
        if (((long) WORD.getAndBitwiseAnd(chunk, word, ~(1L << member)) & ~(1L << member)) != 0) {
            return;
        }
        // The word seems to be zero: clear the bits above, and set them again if another thread was faster.
        long summary = (long) WORD.getAndBitwiseAnd(chunk, SUMMARY, ~(1L << word)) & ~(1L << word);
        if ((long) WORD.getVolatile(chunk, word) != 0) {
            WORD.getAndBitwiseOr(chunk, SUMMARY, 1L << word);
            WORD.getAndBitwiseOr(top, index >>> 6, 1L << index);
        } else if (summary == 0) {
            WORD.getAndBitwiseAnd(top, index >>> 6, ~(1L << index));
            if ((long) WORD.getVolatile(chunk, SUMMARY) != 0) {
                WORD.getAndBitwiseOr(top, index >>> 6, 1L << index);
            }
        }
    }

    /** The lowest member that is not below {@code from}, or -1. */
    int next(int from) {
        long[][] all = chunks;
        int within = from & (1 << CHUNK_SHIFT) - 1;
        for (int index = nextChunk(from >>> CHUNK_SHIFT, all.length);
                index >= 0;
                index = nextChunk(index + 1, all.length)) {
            int found = nextIn(all[index], index == from >>> CHUNK_SHIFT ? within : 0);
            if (found >= 0) {
                return index << CHUNK_SHIFT | found;
            }
        }
        return -1;
    }

    private int nextChunk(int from, int limit) {
        for (int word = from >>> 6; word << 6 < limit; word++) {
            long bits = (long) WORD.getVolatile(top, word) & (word == from >>> 6 ? -1L << from : -1L);
            if (bits != 0) {
                int index = word << 6 | Long.numberOfTrailingZeros(bits);
                return index < limit ? index : -1;
            }
        }
        return -1;
    }

    private static int nextIn(long[] chunk, int from) {
        int word = from >>> 6;
        long bits = (long) WORD.getVolatile(chunk, word) & -1L << from;
        if (bits != 0) {
            return word << 6 | Long.numberOfTrailingZeros(bits);
        }
        long words = word == WORDS - 1 ? 0 : (long) WORD.getVolatile(chunk, SUMMARY) & -1L << (word + 1);
        for (; words != 0; words &= words - 1) {
            word = Long.numberOfTrailingZeros(words);
            bits = (long) WORD.getVolatile(chunk, word);
            if (bits != 0) {
                return word << 6 | Long.numberOfTrailingZeros(bits);
            }
        }
        return -1;
    }
}

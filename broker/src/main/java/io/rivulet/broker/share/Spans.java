package io.rivulet.broker.share;

import java.util.Arrays;

/** The batches that a read has found, as ranges of offsets in order. Owned by: the fetch. */
final class Spans {
    private static final int INITIAL = 4;

    private long[] firsts = new long[INITIAL];
    private long[] lasts = new long[INITIAL];
    private int size;

    void clear() {
        size = 0;
    }

    void add(long first, long last) {
        if (size == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * size);
            lasts = Arrays.copyOf(lasts, 2 * size);
        }
        firsts[size] = first;
        lasts[size++] = last;
    }

    /** Adds a range, or makes the last one longer if it ends where this one begins. */
    void extend(long first, long last) {
        if (size > 0 && lasts[size - 1] + 1 == first) {
            lasts[size - 1] = last;
        } else {
            add(first, last);
        }
    }

    int size() {
        return size;
    }

    long first(int index) {
        return firsts[index];
    }

    long last(int index) {
        return lasts[index];
    }

    /** Keeps the first spans only. */
    void keep(int count) {
        size = count;
    }
}

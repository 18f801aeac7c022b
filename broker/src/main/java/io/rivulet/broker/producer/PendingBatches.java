package io.rivulet.broker.producer;

import java.util.Arrays;

/**
 * Batches that have been appended and are not durable yet, in log order: a ring. Each refers to the previous one of the
 * same row. The log groups in flight bound their number, so the ring stops growing.
 *
 * <pre>
 *  word 0  base offset
 *  word 1  number of the previous batch of the same row
 *  word 2  base sequence 32 | record count 32
 *  word 3  row 32 | 0 15 | transactional 1 | epoch 16
 * </pre>
 *
 * Owned by: log-writer thread.
 */
final class PendingBatches {
    private static final int WORDS = 4;
    private static final int INITIAL_BATCHES = 64;
    private static final long TRANSACTIONAL_BIT = 1 << 16;

    private long[] words = new long[INITIAL_BATCHES * WORDS];
    private long first;
    private long end;

    /**
     * Whether the number is that of a pending batch; numbers of removed ones, and {@link SequenceRows#NONE_PENDING},
     * are lower.
     */
    boolean holds(long number) {
        return number >= first;
    }

    boolean isEmpty() {
        return first == end;
    }

    long firstNumber() {
        return first;
    }

    long lastNumber() {
        return end - 1;
    }

    /** Adds a batch at the end and returns its number. */
    long add(int row, SequenceHeader header, long baseOffset, long previousNumber) {
        if ((end - first) * WORDS == words.length) {
            grow();
        }
        int at = at(end);
        words[at] = baseOffset;
        words[at + 1] = previousNumber;
        words[at + 2] = (long) header.baseSequence() << 32 | header.recordCount();
        long transactional = header.isTransactional() ? TRANSACTIONAL_BIT : 0;
        words[at + 3] = (long) row << 32 | transactional | Short.toUnsignedLong(header.epoch());
        return end++;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(words, 2 * words.length);
        int mask = larger.length / WORDS - 1;
        for (long number = first; number < end; number++) {
            System.arraycopy(words, at(number), larger, (int) (number & mask) * WORDS, WORDS);
        }
        words = larger;
    }

    void removeFirst() {
        first++;
    }

    void removeLast() {
        end--;
    }

    long baseOffset(long number) {
        return words[at(number)];
    }

    long previous(long number) {
        return words[at(number) + 1];
    }

    int baseSequence(long number) {
        return (int) (words[at(number) + 2] >>> 32);
    }

    int recordCount(long number) {
        return (int) words[at(number) + 2];
    }

    int row(long number) {
        return (int) (words[at(number) + 3] >>> 32);
    }

    short epoch(long number) {
        return (short) words[at(number) + 3];
    }

    boolean isTransactional(long number) {
        return (words[at(number) + 3] & TRANSACTIONAL_BIT) != 0;
    }

    private int at(long number) {
        return (int) (number & words.length / WORDS - 1) * WORDS;
    }
}

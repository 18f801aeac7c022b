package io.rivulet.broker.producer;

import java.util.Arrays;

/**
 * What each queue has from each producer: one row of 104 bytes, and about 8 bytes of index.
 *
 * <pre>
 *  word 0      producer id
 *  word 1      queue id 32 | epoch 16 | batches 16
 *  word 2      when the last batch came, in milliseconds
 *  word 3..12  the last five batches, oldest first: base offset, then base sequence 32 | record count 32
 * </pre>
 *
 * Owned by: whoever owns the {@link ProducerStates} around it.
 */
final class SequenceRows {
    static final int WORDS = 13;
    /** As many as an idempotent producer of Kafka's may have in flight. */
    static final int MAX_BATCHES = 5;

    static final int NO_ROW = -1;

    private static final int PRODUCER_ID = 0;
    private static final int KEY_AND_COUNT = 1;
    private static final int LAST_MILLIS = 2;
    private static final int BATCHES = 3;
    private static final int INITIAL_ROWS = 16;
    private static final int EMPTY = 0;
    private static final int REMOVED = -1;

    private long[] words = new long[INITIAL_ROWS * WORDS];
    private int[] freeRows = new int[INITIAL_ROWS];
    private int freeCount;
    private int rowLimit;
    /** Row number + 1, {@link #EMPTY} or {@link #REMOVED}; found by linear probes. */
    private int[] slots = new int[2 * INITIAL_ROWS];

    private int usedSlots;

    // ---- rows ----

    int size() {
        return rowLimit - freeCount;
    }

    /** No row has this number or a higher one. */
    int rowLimit() {
        return rowLimit;
    }

    int find(long producerId, int queueId) {
        for (int slot = slot(producerId, queueId); slots[slot] != EMPTY; slot = slot + 1 & (slots.length - 1)) {
            int row = slots[slot] - 1;
            if (slots[slot] != REMOVED && producerId(row) == producerId && queueId(row) == queueId) {
                return row;
            }
        }
        return NO_ROW;
    }

    int add(long producerId, int queueId, short epoch) {
        if ((usedSlots + 1) * 2 > slots.length) {
            rebuildSlots();
        }
        int row = freeCount > 0 ? freeRows[--freeCount] : rowLimit++;
        if (row * WORDS == words.length) {
            words = Arrays.copyOf(words, words.length + words.length / 2 / WORDS * WORDS + WORDS);
        }
        words[row * WORDS + PRODUCER_ID] = producerId;
        words[row * WORDS + KEY_AND_COUNT] = key(queueId, epoch, 0);
        insert(row);
        return row;
    }

    void remove(int row) {
        int slot = slot(producerId(row), queueId(row));
        while (slots[slot] != row + 1) {
            slot = slot + 1 & (slots.length - 1);
        }
        slots[slot] = REMOVED;
        if (freeCount == freeRows.length) {
            freeRows = Arrays.copyOf(freeRows, 2 * freeCount);
        }
        freeRows[freeCount++] = row;
        words[row * WORDS + KEY_AND_COUNT] = key(-1, (short) 0, 0);
    }

    /** False for a number whose row was removed. */
    boolean exists(int row) {
        return queueId(row) >= 0;
    }

    private void insert(int row) {
        int slot = slot(producerId(row), queueId(row));
        while (slots[slot] != EMPTY) {
            slot = slot + 1 & (slots.length - 1);
        }
        slots[slot] = row + 1;
        usedSlots++;
    }

    private void rebuildSlots() {
        int length = 2 * INITIAL_ROWS;
        while (length < 4L * (size() + 1)) {
            length *= 2;
        }
        slots = new int[length];
        usedSlots = 0;
        for (int row = 0; row < rowLimit; row++) {
            if (exists(row)) {
                insert(row);
            }
        }
    }

    private int slot(long producerId, int queueId) {
        long mixed = (producerId * 31 + queueId) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & (slots.length - 1);
    }

    // ---- fields ----

    long producerId(int row) {
        return words[row * WORDS + PRODUCER_ID];
    }

    int queueId(int row) {
        return (int) (words[row * WORDS + KEY_AND_COUNT] >>> 32);
    }

    short epoch(int row) {
        return (short) (words[row * WORDS + KEY_AND_COUNT] >>> 16);
    }

    int batches(int row) {
        return (int) words[row * WORDS + KEY_AND_COUNT] & 0xFFFF;
    }

    long lastMillis(int row) {
        return words[row * WORDS + LAST_MILLIS];
    }

    void lastMillis(int row, long millis) {
        words[row * WORDS + LAST_MILLIS] = millis;
    }

    long baseOffset(int row, int batch) {
        return words[row * WORDS + BATCHES + 2 * batch];
    }

    int baseSequence(int row, int batch) {
        return (int) (words[row * WORDS + BATCHES + 2 * batch + 1] >>> 32);
    }

    int recordCount(int row, int batch) {
        return (int) words[row * WORDS + BATCHES + 2 * batch + 1];
    }

    /** A producer that has begun anew: what its row knew of batches is of no use. */
    void beginEpoch(int row, short epoch) {
        words[row * WORDS + KEY_AND_COUNT] = key(queueId(row), epoch, 0);
    }

    /** Adds a batch behind the last; the oldest of five makes way. */
    void addBatch(int row, long baseOffset, int baseSequence, int recordCount) {
        int count = batches(row);
        int at = row * WORDS + BATCHES;
        if (count == MAX_BATCHES) {
            System.arraycopy(words, at + 2, words, at, 2 * (MAX_BATCHES - 1));
            count--;
        }
        words[at + 2 * count] = baseOffset;
        words[at + 2 * count + 1] = (long) baseSequence << 32 | recordCount;
        words[row * WORDS + KEY_AND_COUNT] = key(queueId(row), epoch(row), count + 1);
    }

    /** Forgets the batch and those behind it. */
    void truncate(int row, int batch) {
        words[row * WORDS + KEY_AND_COUNT] = key(queueId(row), epoch(row), batch);
    }

    private static long key(int queueId, short epoch, int batches) {
        return (long) queueId << 32 | Short.toUnsignedLong(epoch) << 16 | batches;
    }
}

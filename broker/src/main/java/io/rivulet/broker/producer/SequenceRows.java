package io.rivulet.broker.producer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * What each queue has from each producer: one row of 112 bytes in a chunk of rows, and 8 to 16 bytes of index.
 *
 * <pre>
 *  word 0      producer id; of a free row, the next free one
 *  word 1      queue id 32, negative for a free row | epoch 16 | stamp 13 | batches 3
 *  word 2      when the last batch came, in milliseconds
 *  word 3..12  the last five batches, oldest first: base offset, then base sequence 32 | record count 32
 *  word 13     of the {@link LaidBatches}, the row's last
 * </pre>
 *
 * <p>Owned by: log-writer thread. Any thread may {@link #copy} a row: the stamp is a sequence lock, odd while the row changes, so a
 * copy that came in between is thrown away. Words 3 to 12 of a row change between {@link #begin} and {@link #end} only.
 */
final class SequenceRows {
    /** As many as an idempotent producer of Kafka's may have in flight. */
    static final int MAX_BATCHES = 5;

    static final int NO_ROW = -1;
    /** Word 13 of a row without laid batches. */
    static final long NONE_LAID = -1;

    static final int PRODUCER_ID = 0;
    static final int KEY = 1;
    static final int LAST_MILLIS = 2;
    static final int BATCHES = 3;
    /** Words that a copy has. */
    static final int COPIED_WORDS = BATCHES + 2 * MAX_BATCHES;

    private static final int LAST_LAID = COPIED_WORDS;
    private static final int WORDS = LAST_LAID + 1;
    private static final int CHUNK_SHIFT = 9;
    private static final int ROWS_PER_CHUNK = 1 << CHUNK_SHIFT;

    private static final int COUNT_BITS = 3;
    private static final long COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int STAMP_STEP = 1 << COUNT_BITS;
    private static final long STAMP_MASK = 0xFFF8;
    private static final int FREE = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final SequenceIndex index = new SequenceIndex(this);
    /** Copied when it grows; the chunks themselves stay. */
    private volatile long[][] chunks = new long[0][];

    private volatile int rowLimit;
    private int firstFree = NO_ROW;
    private int size;

    // ---- rows ----

    int size() {
        return size;
    }

    /** No row has this number or a higher one. */
    int rowLimit() {
        return rowLimit;
    }

    int find(long producerId, int queueId) {
        return index.find(producerId, queueId);
    }

    /** Adds a row without batches. */
    int add(long producerId, int queueId) {
        int row = firstFree;
        if (row == NO_ROW) {
            row = rowLimit;
            if (row >>> CHUNK_SHIFT == chunks.length) {
                addChunk();
            }
        } else {
            firstFree = (int) word(row, PRODUCER_ID);
        }
        begin(row);
        put(row, PRODUCER_ID, producerId);
        put(row, LAST_LAID, NONE_LAID);
        end(row, queueId, (short) 0, 0);
        if (row == rowLimit) {
            rowLimit = row + 1;
        }
        size++;
        index.add(row);
        return row;
    }

    private void addChunk() {
        long[][] more = Arrays.copyOf(chunks, chunks.length + 1);
        long[] chunk = new long[ROWS_PER_CHUNK * WORDS];
        for (int at = KEY; at < chunk.length; at += WORDS) {
            chunk[at] = (long) FREE << 32;
        }
        more[chunks.length] = chunk;
        chunks = more;
    }

    void remove(int row) {
        index.remove(row);
        begin(row);
        put(row, PRODUCER_ID, firstFree);
        end(row, FREE, (short) 0, 0);
        firstFree = row;
        size--;
    }

    /** False for a number whose row was removed. */
    boolean exists(int row) {
        return queueId(row) >= 0;
    }

    /** Bytes on the heap, but for small change. */
    long memoryBytes() {
        return (long) chunks.length * ROWS_PER_CHUNK * WORDS * Long.BYTES + index.memoryBytes();
    }

    // ---- fields ----

    long producerId(int row) {
        return word(row, PRODUCER_ID);
    }

    int queueId(int row) {
        return (int) (word(row, KEY) >>> 32);
    }

    short epoch(int row) {
        return (short) (word(row, KEY) >>> 16);
    }

    int batches(int row) {
        return batches(word(row, KEY));
    }

    static int batches(long key) {
        return (int) (key & COUNT_MASK);
    }

    static int queueId(long key) {
        return (int) (key >>> 32);
    }

    static short epoch(long key) {
        return (short) (key >>> 16);
    }

    long lastMillis(int row) {
        return word(row, LAST_MILLIS);
    }

    void lastMillis(int row, long millis) {
        put(row, LAST_MILLIS, millis);
    }

    long baseOffset(int row, int batch) {
        return word(row, BATCHES + 2 * batch);
    }

    int baseSequence(int row, int batch) {
        return (int) (word(row, BATCHES + 2 * batch + 1) >>> 32);
    }

    int recordCount(int row, int batch) {
        return (int) word(row, BATCHES + 2 * batch + 1);
    }

    long lastLaid(int row) {
        return word(row, LAST_LAID);
    }

    void lastLaid(int row, long index) {
        put(row, LAST_LAID, index);
    }

    /** Adds a batch behind the last; the oldest of five makes way, and all of them for a new epoch. */
    void addBatch(int row, short epoch, long baseOffset, int baseSequence, int recordCount, long nowMillis) {
        int count = epoch == epoch(row) ? batches(row) : 0;
        int queueId = queueId(row);
        begin(row);
        if (count == MAX_BATCHES) {
            for (int word = BATCHES; word < BATCHES + 2 * (MAX_BATCHES - 1); word++) {
                put(row, word, word(row, word + 2));
            }
            count--;
        }
        put(row, BATCHES + 2 * count, baseOffset);
        put(row, BATCHES + 2 * count + 1, (long) baseSequence << 32 | recordCount);
        put(row, LAST_MILLIS, nowMillis);
        end(row, queueId, epoch, count + 1);
    }

    /** Forgets all batches. */
    void clear(int row) {
        int queueId = queueId(row);
        begin(row);
        end(row, queueId, (short) 0, 0);
    }

    private void begin(int row) {
        put(row, KEY, ((word(row, KEY) + STAMP_STEP) & STAMP_MASK) | (word(row, KEY) & ~STAMP_MASK));
        VarHandle.releaseFence();
    }

    private void end(int row, int queueId, short epoch, int batches) {
        long stamp = (word(row, KEY) + STAMP_STEP) & STAMP_MASK;
        long key = (long) queueId << 32 | Short.toUnsignedLong(epoch) << 16 | stamp | batches;
        WORD.setRelease(chunks[row >>> CHUNK_SHIFT], at(row, KEY), key);
    }

    // ---- any thread ----

    /** Copies the row's words as they were at one moment; false when there is no such row, or none with batches. */
    boolean copy(int row, long[] target) {
        long[] chunk = chunks[row >>> CHUNK_SHIFT];
        int from = at(row, 0);
        while (true) {
            long key = (long) WORD.getAcquire(chunk, from + KEY);
            if ((key & STAMP_STEP) == 0) {
                for (int word = 0; word < COPIED_WORDS; word++) {
                    target[word] = (long) WORD.getOpaque(chunk, from + word);
                }
                VarHandle.acquireFence();
                if ((long) WORD.getOpaque(chunk, from + KEY) == key) {
                    return queueId(key) >= 0 && batches(key) > 0;
                }
            }
            Thread.onSpinWait();
        }
    }

    // ---- leaves ----

    private static int at(int row, int word) {
        return (row & ROWS_PER_CHUNK - 1) * WORDS + word;
    }

    private long word(int row, int word) {
        return chunks[row >>> CHUNK_SHIFT][at(row, word)];
    }

    private void put(int row, int word, long value) {
        WORD.setOpaque(chunks[row >>> CHUNK_SHIFT], at(row, word), value);
    }
}

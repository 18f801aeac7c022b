package io.rivulet.broker.producer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One row for each producer in each queue: six words and one for each batch in a chunk of rows, and 8 to 16 bytes of
 * index.
 *
 * <pre>
 *  word 0      producer id; of a free row, the next free one
 *  word 1      queue id 32, negative for a free row | epoch 16 | stamp 12 | batches 4
 *  word 2      touched: when its last batch was applied. Rows that were touched later have a greater number
 *  word 3      base offset of the last batch
 *  word 4      transaction open 1 | next sequence 31 | has a marker 1 | record count of the last batch 31
 *  word 5      next older idle row 32 | next younger idle row 32
 *  word 6      number of the row's last batch in {@link PendingBatches}
 *  then        one for each batch before the last, the newest first: the base offset's distance to the next batch's 32
 *              | record count 32
 * </pre>
 *
 * The batches of a row have no gaps in their sequences, so the last sequence and the counts are enough.
 *
 * <p>A row with batches has an open transaction, or is idle and in the list of idle rows.
 *
 * <p>Owned by: log-writer thread. Any thread may {@link #copy} a row: the stamp is a sequence lock, odd while the row
 * changes, so a copy that was taken meanwhile is discarded. From word 2 on, all but words 5 and 6 change between
 * {@link #begin} and {@link #end} only; those two mean nothing in a copy.
 */
final class SequenceRows {
    static final int NO_ROW = -1;
    /** Word 6 of a row without pending batches. */
    static final long NONE_PENDING = -1;
    /** Returned instead of an offset: the row has no such batch. */
    static final long NO_BATCH = -1;

    static final int PRODUCER_ID = 0;
    static final int KEY = 1;
    static final int TOUCHED = 2;
    static final int LAST_OFFSET = 3;
    static final int NEXT = 4;
    private static final int LINKS = 5;
    private static final int LAST_PENDING = 6;
    static final int BEFORE = 7;

    private static final int INDEX_BYTES = 16;
    private static final int CHUNK_SHIFT = 9;
    private static final int ROWS_PER_CHUNK = 1 << CHUNK_SHIFT;

    private static final int COUNT_BITS = 4;
    private static final long COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int STAMP_STEP = 1 << COUNT_BITS;
    private static final long STAMP_MASK = 0xFFF0;
    private static final int FREE = -1;

    private static final long OPEN_BIT = 1L << 63;
    private static final long MARKER_BIT = 1L << 31;
    private static final int RECORD_COUNT_MASK = Integer.MAX_VALUE;
    private static final long LOWER_HALF = 0xFFFF_FFFFL;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final int mostBatches;
    /** Of a row. */
    private final int words;

    private final SequenceIndex index = new SequenceIndex(this);
    /** Replaced by a copy when it grows; the chunks stay. */
    private volatile long[][] chunks = new long[0][];

    private volatile int rowLimit;
    private int firstFree = NO_ROW;
    private int size;
    private int idle;
    private int open;
    private int oldest = NO_ROW;
    private int youngest = NO_ROW;

    /** @param mostBatches that a row has, at most 15 */
    SequenceRows(int mostBatches) {
        this.mostBatches = mostBatches;
        this.words = words(mostBatches);
    }

    private static int words(int mostBatches) {
        return BEFORE + mostBatches - 1;
    }

    /** Of a row with its part of chunk and index, an upper bound. */
    static int bytesPerRow(int mostBatches) {
        return words(mostBatches) * Long.BYTES + INDEX_BYTES;
    }

    int mostBatches() {
        return mostBatches;
    }

    /** For {@link #copy}. */
    long[] newCopy() {
        return new long[words];
    }

    // ---- rows ----

    int size() {
        return size;
    }

    /** Rows with batches and no open transaction. */
    int idleCount() {
        return idle;
    }

    /** Rows with an open transaction. */
    int openCount() {
        return open;
    }

    /** The idle row that was touched first, or {@link #NO_ROW}. */
    int oldest() {
        return oldest;
    }

    /** Higher than the number of every row. */
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
        put(row, NEXT, 0);
        put(row, LAST_PENDING, NONE_PENDING);
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
        long[] chunk = new long[ROWS_PER_CHUNK * words];
        for (int at = KEY; at < chunk.length; at += words) {
            chunk[at] = (long) FREE << 32;
        }
        more[chunks.length] = chunk;
        chunks = more;
    }

    void remove(int row) {
        clear(row);
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

    /** Approximate heap bytes. */
    long memoryBytes() {
        return (long) chunks.length * ROWS_PER_CHUNK * words * Long.BYTES + index.memoryBytes();
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

    long touched(int row) {
        return word(row, TOUCHED);
    }

    long lastOffset(int row) {
        return word(row, LAST_OFFSET);
    }

    int nextSequence(int row) {
        return nextSequence(word(row, NEXT));
    }

    static int nextSequence(long next) {
        return (int) (next >>> 32) & Integer.MAX_VALUE;
    }

    boolean isOpen(int row) {
        return isOpen(word(row, NEXT));
    }

    static boolean isOpen(long next) {
        return (next & OPEN_BIT) != 0;
    }

    /** Whether a marker has ended a transaction of the producer. */
    boolean hasMarker(int row) {
        return hasMarker(word(row, NEXT));
    }

    static boolean hasMarker(long next) {
        return (next & MARKER_BIT) != 0;
    }

    /** Of the last batch, in its word with the next sequence, or of one before it. */
    static int recordCount(long word) {
        return (int) word & RECORD_COUNT_MASK;
    }

    long lastPending(int row) {
        return word(row, LAST_PENDING);
    }

    void lastPending(int row, long index) {
        put(row, LAST_PENDING, index);
    }

    // ---- batches ----

    /** The base offset of the batch of these sequences, or {@link #NO_BATCH}. */
    long offsetOf(int row, int baseSequence, int recordCount) {
        long offset = lastOffset(row);
        int count = recordCount(word(row, NEXT));
        int next = nextSequence(row);
        int known = batches(row);
        for (int before = 0; before < known; before++) {
            int base = SequenceHeader.first(next, count);
            if (base == baseSequence && count == recordCount) {
                return offset;
            }
            if (before + 1 < known) {
                offset -= distance(word(row, BEFORE + before));
                count = recordCount(word(row, BEFORE + before));
                next = base;
            }
        }
        return NO_BATCH;
    }

    /** Of a batch before the last one. */
    static long distance(long before) {
        return before >>> 32;
    }

    /**
     * Adds a batch after the last. Of too many the oldest is dropped. All are dropped for a new epoch, for a gap in the
     * sequences, which only a removed producer leaves, and if the batch is 4 billion offsets later.
     */
    void addBatch(int row, short epoch, long baseOffset, int baseSequence, int recordCount, long touched) {
        int known = epoch == epoch(row) ? batches(row) : 0;
        long distance = baseOffset - lastOffset(row);
        if (baseSequence != nextSequence(row) || distance > LOWER_HALF) {
            known = 0;
        }
        boolean wasEmpty = batches(row) == 0;
        int queueId = queueId(row);
        long next = word(row, NEXT);
        begin(row);
        if (known > 0) {
            for (int before = Math.min(known, mostBatches - 1) - 1; before > 0; before--) {
                put(row, BEFORE + before, word(row, BEFORE + before - 1));
            }
            put(row, BEFORE, distance << 32 | recordCount(next));
        }
        put(row, LAST_OFFSET, baseOffset);
        long nextSequence = SequenceHeader.next(baseSequence, recordCount);
        put(row, NEXT, (next & (OPEN_BIT | MARKER_BIT)) | nextSequence << 32 | recordCount);
        put(row, TOUCHED, touched);
        end(row, queueId, epoch, Math.min(mostBatches, known + 1));
        if (wasEmpty) {
            link(row);
        }
    }

    /** Removes all batches. */
    void clear(int row) {
        if (batches(row) == 0) {
            return;
        }
        if (isOpen(row)) {
            open--;
        } else {
            unlink(row);
        }
        int queueId = queueId(row);
        begin(row);
        put(row, NEXT, 0);
        end(row, queueId, (short) 0, 0);
    }

    // ---- idle rows ----

    /** Marks the row, which has batches, as having an open transaction. */
    void open(int row) {
        if (!isOpen(row)) {
            unlink(row);
            open++;
            putNext(row, word(row, NEXT) | OPEN_BIT, touched(row));
        }
    }

    /** Marks the row as having no open transaction. */
    void close(int row, long touched) {
        if (isOpen(row)) {
            open--;
            putNext(row, word(row, NEXT) & ~OPEN_BIT, touched);
            link(row);
        }
    }

    private void putNext(int row, long next, long touched) {
        int batches = batches(row);
        int queueId = queueId(row);
        short epoch = epoch(row);
        begin(row);
        put(row, NEXT, next);
        put(row, TOUCHED, touched);
        end(row, queueId, epoch, batches);
    }

    /** Marks the row, which has batches, as having a marker. */
    void mark(int row) {
        if (!hasMarker(row)) {
            putNext(row, word(row, NEXT) | MARKER_BIT, touched(row));
        }
    }

    /** Makes the idle row the newest. */
    void makeYoungest(int row) {
        if (row != youngest) {
            unlink(row);
            link(row);
        }
    }

    /**
     * Rows that were touched after {@code latest} count as touched then. Their order stays. Returns a number that is
     * not less than that of any row.
     */
    long touchedBy(long latest) {
        long next = latest;
        for (int row = oldest; row != NO_ROW; row = younger(row)) {
            if (touched(row) > latest) {
                putNext(row, word(row, NEXT), next++);
            }
        }
        for (int row = 0; open > 0 && row < rowLimit; row++) {
            if (isOpen(row) && touched(row) > latest) {
                putNext(row, word(row, NEXT), latest);
            }
        }
        return next;
    }

    private void link(int row) {
        put(row, LINKS, links(youngest, NO_ROW));
        if (youngest == NO_ROW) {
            oldest = row;
        } else {
            put(youngest, LINKS, links(older(youngest), row));
        }
        youngest = row;
        idle++;
    }

    private void unlink(int row) {
        int older = older(row);
        int younger = younger(row);
        if (older == NO_ROW) {
            oldest = younger;
        } else {
            put(older, LINKS, links(older(older), younger));
        }
        if (younger == NO_ROW) {
            youngest = older;
        } else {
            put(younger, LINKS, links(older, younger(younger)));
        }
        idle--;
    }

    private static long links(int older, int younger) {
        return (long) older << 32 | (younger & LOWER_HALF);
    }

    private int older(int row) {
        return (int) (word(row, LINKS) >>> 32);
    }

    private int younger(int row) {
        return (int) word(row, LINKS);
    }

    /** Sorts all idle rows by when they were touched. */
    void sortIdle() {
        long[] touched = new long[idle];
        int count = 0;
        for (int row = oldest; row != NO_ROW; row = younger(row)) {
            touched[count++] = touched(row);
        }
        Arrays.sort(touched);
        int[] sorted = new int[count];
        Arrays.fill(sorted, NO_ROW);
        for (int row = oldest; row != NO_ROW; row = younger(row)) {
            int place = Arrays.binarySearch(touched, touched(row));
            while (place > 0 && touched[place - 1] == touched(row)) {
                place--;
            }
            while (sorted[place] != NO_ROW) {
                place++;
            }
            sorted[place] = row;
        }
        oldest = NO_ROW;
        youngest = NO_ROW;
        idle = 0;
        for (int row : sorted) {
            link(row);
        }
    }

    // ---- the sequence lock ----

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

    /** Copies a consistent state of the row's words; false if there is no such row, or it has no batches. */
    boolean copy(int row, long[] target) {
        long[] chunk = chunks[row >>> CHUNK_SHIFT];
        int from = at(row, 0);
        while (true) {
            long key = (long) WORD.getAcquire(chunk, from + KEY);
            if ((key & STAMP_STEP) == 0) {
                for (int word = 0; word < words; word++) {
                    target[word] = (long) WORD.getOpaque(chunk, from + word);
                }
                VarHandle.acquireFence();
                // After 2,048 changes the stamp is the same again; a row that was touched is not.
                if ((long) WORD.getOpaque(chunk, from + KEY) == key
                        && (long) WORD.getOpaque(chunk, from + TOUCHED) == target[TOUCHED]) {
                    return queueId(key) >= 0 && batches(key) > 0;
                }
            }
            Thread.onSpinWait();
        }
    }

    // ---- leaves ----

    private int at(int row, int word) {
        return (row & ROWS_PER_CHUNK - 1) * words + word;
    }

    private long word(int row, int word) {
        return chunks[row >>> CHUNK_SHIFT][at(row, word)];
    }

    private void put(int row, int word, long value) {
        WORD.setOpaque(chunks[row >>> CHUNK_SHIFT], at(row, word), value);
    }
}

package io.rivulet.store.queue;

import io.rivulet.store.Store;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One row of 48 bytes for each queue, see {@link QueueRow}, in chunks of 4,096 rows. A chunk is allocated when one of
 * its queues is created and dropped when its last one is deleted; so one queue needs 192 KiB at most. Ids are dense and
 * never reused.
 *
 * <p>Only the log-writer thread writes. Any thread may read; every offset is published with release, and none ever
 * decreases. {@link #assign} and {@link #nextOffset} are for the log-writer thread.
 */
public final class QueueTable {
    static final int CHUNK_SHIFT = 12;
    static final int QUEUES_PER_CHUNK = 1 << CHUNK_SHIFT;
    private static final int CHUNK_MASK = QUEUES_PER_CHUNK - 1;
    private static final long CHUNK_BYTES = (long) QUEUES_PER_CHUNK * QueueRow.WORDS * Long.BYTES;

    private final DirtyQueues dirty = new DirtyQueues();

    private final ChunkTable chunks = new ChunkTable();

    private volatile int idLimit;
    private volatile long removals;
    private volatile long classings;
    private volatile long changed;
    private int[] liveInChunk = new int[0];
    private final AtomicInteger liveQueues = new AtomicInteger();
    private final AtomicInteger allocatedChunks = new AtomicInteger();

    // ---- log-writer thread ----

    /**
     * Creates the queues {@code firstId .. firstId + count - 1}, empty. Existing ones get the class and keep the rest,
     * so that a creation can be replayed onto a snapshot.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void createRange(int firstId, int count, int retentionClass) {
        requireRange(firstId, count);
        requireClass(retentionClass);
        for (int id = firstId, end = firstId + count; id < end; id++) {
            if (exists(id)) {
                setRetentionClass(id, retentionClass);
            } else {
                create(id, retentionClass, 0, 0);
            }
        }
        raiseIdLimit(firstId + count);
        changed += count;
    }

    /** Moves existing queues of the range to the class. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void classRange(int firstId, int count, int retentionClass) {
        for (int id = firstId, end = firstId + count; id < end; id++) {
            if (exists(id)) {
                setRetentionClass(id, retentionClass);
            }
        }
        changed += count;
    }

    /**
     * Recovery: creates the queue from a snapshot, or raises its offsets to those of the snapshot. The tail has none of
     * its records.
     */
    public void restore(int queueId, int retentionClass, long startOffset, long tailStart) {
        requireRange(queueId, 1);
        requireClass(retentionClass);
        if (!exists(queueId)) {
            create(queueId, retentionClass, startOffset, tailStart);
            raiseIdLimit(queueId + 1);
        } else {
            setRetentionClass(queueId, retentionClass);
            trim(queueId, startOffset);
            raiseTailStart(queueId, tailStart);
        }
    }

    /** Recovery: everything below the offset is in block files. The queue must have no chain yet. */
    public void raiseTailStart(int queueId, long offset) {
        long[] rows = requireRows(queueId);
        int row = row(queueId);
        if (QueueRow.getPlain(rows, row + QueueRow.HEAD) != 0) {
            throw new IllegalStateException("queue " + queueId + " has a chain; only the tail may move its start");
        }
        if (offset > rows[row + QueueRow.TAIL_START]) {
            QueueRow.setPlain(rows, row + QueueRow.NEXT_OFFSET, Math.max(offset, rows[row + QueueRow.NEXT_OFFSET]));
            QueueRow.setRelease(rows, row + QueueRow.END_OFFSET, Math.max(offset, rows[row + QueueRow.END_OFFSET]));
            QueueRow.setRelease(rows, row + QueueRow.TAIL_START, offset);
        }
    }

    /**
     * Marks the queue absent, release. Only {@link io.rivulet.store.tail.Tail#drop} calls it, and then frees the chain.
     * To delete a queue, call that method. No effect if the queue does not exist.
     */
    public void delete(int queueId) {
        long[] rows = rows(queueId);
        if (rows == null || !exists(queueId)) {
            return;
        }
        QueueRow.setRelease(rows, row(queueId) + QueueRow.TAIL_START, QueueRow.ABSENT);
        liveQueues.decrementAndGet();
        countRemoval();
        int index = queueId >>> CHUNK_SHIFT;
        if (--liveInChunk[index] == 0 && (long) (index + 1) << CHUNK_SHIFT <= idLimit) {
            dropChunk(index);
        }
    }

    /** Takes the next {@code recordCount} offsets of the queue and returns the first. They are not readable yet. */
    public long assign(int queueId, int recordCount) {
        long[] rows = requireRows(queueId);
        int index = row(queueId) + QueueRow.NEXT_OFFSET;
        long base = QueueRow.getPlain(rows, index);
        QueueRow.setPlain(rows, index, Math.addExact(base, recordCount));
        return base;
    }

    /** Takes back the offsets from {@code offset} on: their batches are not in the log. */
    public void rollBack(int queueId, long offset) {
        long[] rows = requireRows(queueId);
        int index = row(queueId) + QueueRow.NEXT_OFFSET;
        QueueRow.setPlain(rows, index, Math.min(offset, QueueRow.getPlain(rows, index)));
    }

    /** The offset of the next batch. */
    public long nextOffset(int queueId) {
        return QueueRow.getPlain(requireRows(queueId), row(queueId) + QueueRow.NEXT_OFFSET);
    }

    /** Makes records before the offset readable; they must be in the tail. Release. */
    public void publish(int queueId, long endOffset) {
        QueueRow.setRelease(requireRows(queueId), row(queueId) + QueueRow.END_OFFSET, endOffset);
    }

    /** Raises the start offset. Consumers can't read records before it. Frees no memory. Ignores lower offsets. */
    public void trim(int queueId, long startOffset) {
        long[] rows = requireRows(queueId);
        int index = row(queueId) + QueueRow.START_OFFSET;
        if (startOffset > QueueRow.getPlain(rows, index)) {
            QueueRow.setRelease(rows, index, startOffset);
            countRemoval();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void setRetentionClass(int queueId, int retentionClass) {
        requireClass(retentionClass);
        long[] rows = requireRows(queueId);
        int index = row(queueId) + QueueRow.LAST;
        long last = QueueRow.getPlain(rows, index);
        if (retentionClass != QueueRow.retentionClass(last)) {
            QueueRow.setOpaque(
                    rows, index, QueueRow.last(QueueRow.lastChunk(last), retentionClass, QueueRow.writeAt(last)));
            classings = classings + 1;
        }
    }

    /** Sets the limit of all ids that were ever created. Recovery restores it with the snapshot. */
    public void raiseIdLimit(int limit) {
        if (limit > idLimit) {
            idLimit = limit;
        }
    }

    // ---- any thread ----

    /** Grows when a queue moves to another retention class. */
    public long classings() {
        return classings;
    }

    /**
     * How many queues were created or moved to another class since the table was created, without those of a snapshot.
     */
    public long changed() {
        return changed;
    }

    public boolean exists(int queueId) {
        long[] rows = rows(queueId);
        return rows != null && QueueRow.getAcquire(rows, row(queueId) + QueueRow.TAIL_START) != QueueRow.ABSENT;
    }

    /** Consumers read from here on. For a queue that is being deleted: its last value, or 0. */
    public long startOffset(int queueId) {
        long[] rows = rows(queueId);
        return rows == null ? 0 : QueueRow.getAcquire(rows, row(queueId) + QueueRow.START_OFFSET);
    }

    /** Consumers read below it. For a queue that is being deleted: its last value, or 0. */
    public long endOffset(int queueId) {
        long[] rows = rows(queueId);
        return rows == null ? 0 : QueueRow.getAcquire(rows, row(queueId) + QueueRow.END_OFFSET);
    }

    /**
     * Records before it are in block files, the others in the tail. {@link QueueRow#ABSENT} if there is no such queue.
     */
    public long tailStart(int queueId) {
        long[] rows = rows(queueId);
        return rows == null
                ? QueueRow.ABSENT
                : QueueRow.settled(QueueRow.getAcquire(rows, row(queueId) + QueueRow.TAIL_START));
    }

    /** For a queue that is being deleted: its last value, or 0. */
    public int retentionClass(int queueId) {
        long[] rows = rows(queueId);
        return rows == null ? 0 : QueueRow.retentionClass(QueueRow.getOpaque(rows, row(queueId) + QueueRow.LAST));
    }

    /** All queues that were ever created have lower ids. */
    public int idLimit() {
        return idLimit;
    }

    /** How many queues exist. */
    public int liveQueues() {
        return liveQueues.get();
    }

    /** Heap bytes of the rows, including rows of deleted queues in chunks that are still in use. */
    public long heapBytes() {
        return allocatedChunks.get() * CHUNK_BYTES;
    }

    /** Queues with a chain in the tail. */
    public DirtyQueues dirty() {
        return dirty;
    }

    /** The rows with that of the queue, for this package and the tail; null if there are none. */
    public long @Nullable [] rows(int queueId) {
        return chunks.get(queueId >>> CHUNK_SHIFT);
    }

    /** Index of the queue's first word in its {@link #rows}. */
    public static int row(int queueId) {
        return (queueId & CHUNK_MASK) * QueueRow.WORDS;
    }

    /** Grows when a queue is trimmed or deleted. */
    public long removals() {
        return removals;
    }

    // ---- leaves ----

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void countRemoval() {
        removals++;
    }

    private long[] requireRows(int queueId) {
        long[] rows = rows(queueId);
        if (rows == null) {
            throw new IllegalStateException("queue " + queueId + " does not exist");
        }
        return rows;
    }

    private void create(int queueId, int retentionClass, long startOffset, long tailStart) {
        int index = queueId >>> CHUNK_SHIFT;
        long[] rows = rows(queueId);
        if (rows == null) {
            rows = addChunk(index);
        }
        int row = row(queueId);
        QueueRow.setPlain(rows, row + QueueRow.NEXT_OFFSET, tailStart);
        QueueRow.setOpaque(rows, row + QueueRow.END_OFFSET, tailStart);
        QueueRow.setOpaque(rows, row + QueueRow.START_OFFSET, startOffset);
        QueueRow.setOpaque(rows, row + QueueRow.HEAD, 0);
        QueueRow.setOpaque(rows, row + QueueRow.LAST, QueueRow.last(0, retentionClass, 0));
        QueueRow.setRelease(rows, row + QueueRow.TAIL_START, tailStart);
        liveInChunk[index]++;
        liveQueues.incrementAndGet();
    }

    private long[] addChunk(int index) {
        long[] rows = new long[QUEUES_PER_CHUNK * QueueRow.WORDS];
        for (int at = QueueRow.TAIL_START; at < rows.length; at += QueueRow.WORDS) {
            rows[at] = QueueRow.ABSENT;
        }
        if (index >= liveInChunk.length) {
            liveInChunk = Arrays.copyOf(liveInChunk, ChunkTable.lengthFor(index, liveInChunk.length));
        }
        chunks.set(index, rows);
        allocatedChunks.incrementAndGet();
        return rows;
    }

    private void dropChunk(int index) {
        chunks.set(index, null);
        allocatedChunks.decrementAndGet();
        dirty.dropChunk(index);
    }

    private static void requireRange(int firstId, int count) {
        if (firstId < 0 || count < 1 || count > Store.MAX_QUEUE_ID - firstId) {
            throw new IllegalArgumentException(
                    "no range of queue ids: " + count + " from " + firstId + ", ids are 0.." + Store.MAX_QUEUE_ID);
        }
    }

    private static void requireClass(int retentionClass) {
        if (retentionClass < 0 || retentionClass > Store.MAX_RETENTION_CLASS) {
            throw new IllegalArgumentException(
                    "retention class is " + retentionClass + ", must be 0.." + Store.MAX_RETENTION_CLASS);
        }
    }
}

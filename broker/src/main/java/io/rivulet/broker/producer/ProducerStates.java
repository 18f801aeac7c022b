package io.rivulet.broker.producer;

import io.rivulet.protocol.record.RecordBatch;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntToLongFunction;

/**
 * Which sequences each queue has from each idempotent producer: the last five batches, which is as many as a producer has in
 * flight. A view of the batches themselves: what it holds after a replay depends on the log alone.
 *
 * <p>Crash policy: rebuilt from a snapshot and the batches behind it. A snapshot may know batches that were laid down but did not
 * become durable; {@link #forgetFrom} drops those when the replay has ended.
 *
 * <pre>
 * snapshot: | for each row: batches + 1 1 | producer id 8 | queue id 4 | epoch 2 | last millis 8 |
 *             for each batch: base offset 8, base sequence 4, record count 4 | 0 1 |
 * </pre>
 *
 * <p>Guarded by its monitor.
 */
public final class ProducerStates {
    private static final int FIRST_SEQUENCE = 0;
    private static final int ROW_BYTES = 1 + 8 + 4 + 2 + 8;
    private static final int BATCH_BYTES = 8 + 4 + 4;
    private static final int BUFFER_BYTES = 64 << 10;

    private final SequenceRows rows = new SequenceRows();
    private long duplicateOffset;
    private int expiryCursor;

    // ---- before a batch is laid down ----

    /** Whether the batch may be stored in the queue. Changes nothing. */
    public synchronized Verdict check(int queueId, RecordBatch batch) {
        int row = rows.find(batch.producerId(), queueId);
        if (row == SequenceRows.NO_ROW) {
            return Verdict.NEXT;
        }
        if (batch.producerEpoch() != rows.epoch(row)) {
            return checkOtherEpoch(row, batch);
        }
        int last = rows.batches(row) - 1;
        if (last < 0) {
            return Verdict.NEXT;
        }
        for (int i = 0; i <= last; i++) {
            if (rows.baseSequence(row, i) == batch.baseSequence() && rows.recordCount(row, i) == batch.recordCount()) {
                duplicateOffset = rows.baseOffset(row, i);
                return Verdict.DUPLICATE;
            }
        }
        int next = rows.baseSequence(row, last) + rows.recordCount(row, last) & Integer.MAX_VALUE;
        return batch.baseSequence() == next ? Verdict.NEXT : Verdict.OUT_OF_ORDER;
    }

    private Verdict checkOtherEpoch(int row, RecordBatch batch) {
        if (batch.producerEpoch() < rows.epoch(row)) {
            return Verdict.FENCED;
        }
        return batch.baseSequence() == FIRST_SEQUENCE ? Verdict.NEXT : Verdict.OUT_OF_ORDER;
    }

    /** The offset of the batch that the last check found to be there. */
    public synchronized long duplicateOffset() {
        return duplicateOffset;
    }

    // ---- when it has got its offset, and in a replay ----

    /** The queue has the batch at the offset. Telling it twice does no harm. */
    public synchronized void stored(int queueId, RecordBatch batch, long baseOffset, long nowMillis) {
        int row = rows.find(batch.producerId(), queueId);
        if (row == SequenceRows.NO_ROW) {
            row = rows.add(batch.producerId(), queueId, batch.producerEpoch());
        } else if (rows.epoch(row) != batch.producerEpoch()) {
            rows.beginEpoch(row, batch.producerEpoch());
        }
        int last = rows.batches(row) - 1;
        if (last < 0 || rows.baseOffset(row, last) < baseOffset) {
            rows.addBatch(row, baseOffset, batch.baseSequence(), batch.recordCount());
        }
        rows.lastMillis(row, nowMillis);
    }

    /** The queue does not have the batch after all, nor any behind it. */
    public synchronized void takenBack(int queueId, RecordBatch batch, long baseOffset) {
        int row = rows.find(batch.producerId(), queueId);
        if (row != SequenceRows.NO_ROW) {
            truncate(row, baseOffset);
        }
    }

    /** Forgets every batch at or behind its queue's end: it was laid down when a snapshot was taken, and then lost. */
    public synchronized void forgetFrom(IntToLongFunction endOffsets) {
        for (int row = 0; row < rows.rowLimit(); row++) {
            if (rows.exists(row)) {
                truncate(row, endOffsets.applyAsLong(rows.queueId(row)));
            }
        }
    }

    private void truncate(int row, long fromOffset) {
        int keep = rows.batches(row);
        while (keep > 0 && rows.baseOffset(row, keep - 1) >= fromOffset) {
            keep--;
        }
        if (keep == 0) {
            rows.remove(row);
        } else {
            rows.truncate(row, keep);
        }
    }

    // ---- expiry ----

    /**
     * Looks at so many rows, going round, and drops those whose producer was last heard of before then. Called with each group, so
     * that the work is spread.
     */
    public synchronized void expireSome(long beforeMillis, int maxRows) {
        int limit = rows.rowLimit();
        for (int i = 0; i < Math.min(maxRows, limit); i++) {
            expiryCursor = expiryCursor + 1 < limit ? expiryCursor + 1 : 0;
            if (rows.exists(expiryCursor) && rows.lastMillis(expiryCursor) < beforeMillis) {
                rows.remove(expiryCursor);
            }
        }
    }

    public synchronized int size() {
        return rows.size();
    }

    // ---- snapshots ----

    /** Writes all rows, some at a time, so that nobody waits for the disk; rows that change meanwhile are told again by the log. */
    public void writeTo(WritableByteChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        int row = 0;
        while (row >= 0) {
            row = fill(buffer, row);
            if (row < 0) {
                buffer.put((byte) 0);
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
            buffer.clear();
        }
    }

    /** Answers the row to go on with, or -1. */
    private synchronized int fill(ByteBuffer buffer, int from) {
        for (int row = from; row < rows.rowLimit(); row++) {
            if (buffer.remaining() <= ROW_BYTES + SequenceRows.MAX_BATCHES * BATCH_BYTES) {
                return row;
            }
            if (rows.exists(row)) {
                put(buffer, row);
            }
        }
        return -1;
    }

    private void put(ByteBuffer buffer, int row) {
        buffer.put((byte) (rows.batches(row) + 1))
                .putLong(rows.producerId(row))
                .putInt(rows.queueId(row))
                .putShort(rows.epoch(row))
                .putLong(rows.lastMillis(row));
        for (int i = 0; i < rows.batches(row); i++) {
            buffer.putLong(rows.baseOffset(row, i))
                    .putInt(rows.baseSequence(row, i))
                    .putInt(rows.recordCount(row, i));
        }
    }

    public synchronized void readFrom(ReadableByteChannel in) throws IOException {
        DataInputStream data = new DataInputStream(new BufferedInputStream(Channels.newInputStream(in), BUFFER_BYTES));
        for (int batches = data.readByte() - 1; batches >= 0; batches = data.readByte() - 1) {
            int row = rows.add(data.readLong(), data.readInt(), data.readShort());
            rows.lastMillis(row, data.readLong());
            for (int i = 0; i < batches; i++) {
                rows.addBatch(row, data.readLong(), data.readInt(), data.readInt());
            }
        }
    }
}

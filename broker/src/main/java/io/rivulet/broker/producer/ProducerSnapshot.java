package io.rivulet.broker.producer;

import io.rivulet.broker.producer.ProducerStates.Time;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Writes and reads the snapshot of producers.
 *
 * <pre>
 * | version 3, one byte | time of the last group 8 | how far time is ahead of it 8 | last touched 8 |
 *   for each row: transaction open 1 bit, has a marker 1 bit, batches 6 bits |
 *                 producer id 8 | queue id 4 | epoch 2 | touched 8 |
 *                 for each batch, oldest first: base offset 8, base sequence 4, record count 4 | 0 1 |
 *
 * version 2: no bit for a marker
 * version 1: nor for a transaction; no bytes after the time of the last group; milliseconds instead of touched
 * </pre>
 *
 * Rows are copied one by one while they change. So some contain batches that the replay repeats, which changes nothing;
 * and a row that moved is in the snapshot twice, where the later one counts.
 *
 * <p>Crash policy: the store keeps snapshots checksummed; only durable batches are in it.
 *
 * <p>Stateless.
 */
final class ProducerSnapshot {
    private static final byte VERSION = 3;
    private static final byte VERSION_WITHOUT_OPEN = 1;
    private static final byte END = 0;
    private static final int OPEN_BIT = 0x80;
    private static final int MARKER_BIT = 0x40;
    private static final int ROW_BYTES = 1 + 8 + 4 + 2 + 8;
    private static final int BATCH_BYTES = 8 + 4 + 4;
    private static final int BUFFER_BYTES = 64 << 10;

    private ProducerSnapshot() {}

    /** Any thread. */
    static void write(SequenceRows rows, Time time, WritableByteChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        buffer.put(VERSION)
                .putLong(time.groupMillis())
                .putLong(time.aheadMillis())
                .putLong(time.touched());
        long[] copy = rows.newCopy();
        for (int row = 0, limit = rows.rowLimit(); row < limit; row++) {
            if (rows.copy(row, copy)) {
                put(buffer, copy);
            }
            if (buffer.remaining() <= ROW_BYTES + rows.mostBatches() * BATCH_BYTES) {
                drain(buffer, out);
            }
        }
        buffer.put(END);
        drain(buffer, out);
    }

    private static void put(ByteBuffer buffer, long[] row) {
        long key = row[SequenceRows.KEY];
        long next = row[SequenceRows.NEXT];
        int batches = SequenceRows.batches(key);
        int open = SequenceRows.isOpen(next) ? OPEN_BIT : 0;
        int marker = SequenceRows.hasMarker(next) ? MARKER_BIT : 0;
        buffer.put((byte) (open | marker | batches))
                .putLong(row[SequenceRows.PRODUCER_ID])
                .putInt(SequenceRows.queueId(key))
                .putShort(SequenceRows.epoch(key))
                .putLong(row[SequenceRows.TOUCHED]);
        int batchesAt = buffer.position();
        buffer.position(batchesAt + batches * BATCH_BYTES);
        long offset = row[SequenceRows.LAST_OFFSET];
        int count = SequenceRows.recordCount(next);
        int sequence = SequenceHeader.first(SequenceRows.nextSequence(next), count);
        for (int before = 0; before < batches; before++) {
            int at = batchesAt + (batches - 1 - before) * BATCH_BYTES;
            buffer.putLong(at, offset).putInt(at + Long.BYTES, sequence).putInt(at + Long.BYTES + Integer.BYTES, count);
            if (before + 1 < batches) {
                offset -= SequenceRows.distance(row[SequenceRows.BEFORE + before]);
                count = SequenceRows.recordCount(row[SequenceRows.BEFORE + before]);
                sequence = SequenceHeader.first(sequence, count);
            }
        }
    }

    private static void drain(ByteBuffer buffer, WritableByteChannel out) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
        buffer.clear();
    }

    /** Adds the rows of the snapshot, and returns its time. */
    static Time read(ReadableByteChannel in, SequenceRows rows) throws IOException {
        DataInputStream data = new DataInputStream(new BufferedInputStream(Channels.newInputStream(in), BUFFER_BYTES));
        byte version = data.readByte();
        if (version < VERSION_WITHOUT_OPEN || version > VERSION) {
            throw new IOException("the snapshot of producers has version " + version + ", this broker knows "
                    + VERSION_WITHOUT_OPEN + " to " + VERSION);
        }
        long groupMillis = data.readLong();
        boolean first = version == VERSION_WITHOUT_OPEN;
        Time time = first ? Time.ofMillis(groupMillis) : new Time(groupMillis, data.readLong(), data.readLong());
        for (int batches = data.readByte(); batches != END; batches = data.readByte()) {
            readRow(data, batches, first, rows);
        }
        return time;
    }

    private static void readRow(DataInputStream data, int bitsAndBatches, boolean inMillis, SequenceRows rows)
            throws IOException {
        long producerId = data.readLong();
        int queueId = data.readInt();
        short epoch = data.readShort();
        long stamp = data.readLong();
        long touched = inMillis ? ProducerStates.touchedAt(stamp) : stamp;
        int row = rows.find(producerId, queueId);
        if (row == SequenceRows.NO_ROW) {
            row = rows.add(producerId, queueId);
        } else {
            rows.clear(row);
        }
        for (int left = bitsAndBatches & MARKER_BIT - 1; left > 0; left--) {
            rows.addBatch(row, epoch, data.readLong(), data.readInt(), data.readInt(), touched);
        }
        if ((bitsAndBatches & MARKER_BIT) != 0) {
            rows.mark(row);
        }
        if ((bitsAndBatches & OPEN_BIT) != 0) {
            rows.open(row);
        }
    }
}

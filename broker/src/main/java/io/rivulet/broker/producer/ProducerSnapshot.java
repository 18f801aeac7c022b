package io.rivulet.broker.producer;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Writes and reads what is known of producers.
 *
 * <pre>
 * | version 1, one byte | time of the last group 8 |
 *   for each row: batches 1 | producer id 8 | queue id 4 | epoch 2 | last millis 8 |
 *                 for each batch: base offset 8, base sequence 4, record count 4 | 0 1 |
 * </pre>
 *
 * Rows are copied while they change, each as it is when its turn comes. So some know batches that the replay will tell once more,
 * which changes nothing; and a row that moved stands here twice, the later one counts.
 *
 * <p>Crash policy: a checksummed snapshot of the store's; only batches in it that are durable.
 *
 * <p>Stateless.
 */
final class ProducerSnapshot {
    private static final byte VERSION = 1;
    private static final byte END = 0;
    private static final int ROW_BYTES = 1 + 8 + 4 + 2 + 8;
    private static final int BATCH_BYTES = 8 + 4 + 4;
    private static final int BUFFER_BYTES = 64 << 10;

    private ProducerSnapshot() {}

    /** Any thread. */
    static void write(SequenceRows rows, long nowMillis, WritableByteChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        buffer.put(VERSION).putLong(nowMillis);
        long[] copy = new long[SequenceRows.COPIED_WORDS];
        for (int row = 0, limit = rows.rowLimit(); row < limit; row++) {
            if (rows.copy(row, copy)) {
                put(buffer, copy);
            }
            if (buffer.remaining() <= ROW_BYTES + SequenceRows.MAX_BATCHES * BATCH_BYTES) {
                drain(buffer, out);
            }
        }
        buffer.put(END);
        drain(buffer, out);
    }

    private static void put(ByteBuffer buffer, long[] row) {
        long key = row[SequenceRows.KEY];
        int batches = SequenceRows.batches(key);
        buffer.put((byte) batches)
                .putLong(row[SequenceRows.PRODUCER_ID])
                .putInt(SequenceRows.queueId(key))
                .putShort(SequenceRows.epoch(key))
                .putLong(row[SequenceRows.LAST_MILLIS]);
        for (int word = 0; word < 2 * batches; word++) {
            buffer.putLong(row[SequenceRows.BATCHES + word]);
        }
    }

    private static void drain(ByteBuffer buffer, WritableByteChannel out) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
        buffer.clear();
    }

    /** Adds what is there to the rows, and answers the time of the last group. */
    static long read(ReadableByteChannel in, SequenceRows rows) throws IOException {
        DataInputStream data = new DataInputStream(new BufferedInputStream(Channels.newInputStream(in), BUFFER_BYTES));
        byte version = data.readByte();
        if (version != VERSION) {
            throw new IOException(
                    "the snapshot of producers has version " + version + ", this broker knows " + VERSION);
        }
        long nowMillis = data.readLong();
        for (int batches = data.readByte(); batches != END; batches = data.readByte()) {
            readRow(data, batches, rows);
        }
        return nowMillis;
    }

    private static void readRow(DataInputStream data, int batches, SequenceRows rows) throws IOException {
        long producerId = data.readLong();
        int queueId = data.readInt();
        short epoch = data.readShort();
        long lastMillis = data.readLong();
        int row = rows.find(producerId, queueId);
        if (row == SequenceRows.NO_ROW) {
            row = rows.add(producerId, queueId);
        } else {
            rows.clear(row);
        }
        for (int i = 0; i < batches; i++) {
            rows.addBatch(row, epoch, data.readLong(), data.readInt(), data.readInt(), lastMillis);
        }
    }
}

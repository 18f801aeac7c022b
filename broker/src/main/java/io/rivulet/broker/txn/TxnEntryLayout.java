package io.rivulet.broker.txn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Layout of the log entries of transactional ids; the snapshot holds images. All numbers are big-endian; a text is its
 * length in two bytes and UTF-8.
 *
 * <pre>
 * image      | id text | producer id 8 | epoch 2 | previous id 8 | previous epoch 2 | next id 8 | next epoch 2 |
 *            | timeout millis 4 | state 1 | changed millis 8 |
 *
 * IMAGE      | 1 | image |
 * OVER       | 2 | producer id of the transaction 8 | image |
 * ADDED      | 3 | producer id 8 | epoch 2 | queues 4 | queue ids 4 each |      no queues if only offsets are added
 * FORGOTTEN  | 4 | producer id 8 | id text |
 * CLEANED    | 5 | queue id 4 | offset 8 |     removes the queue's aborted transactions that ended before the offset
 * </pre>
 *
 * <p>Crash policy: entries are durable and checksummed with their log group. OVER is in one log group with all markers
 * of the transaction, or after them if an earlier image has decided the end.
 */
final class TxnEntryLayout {
    static final byte IMAGE = 1;
    static final byte OVER = 2;
    static final byte ADDED = 3;
    static final byte FORGOTTEN = 4;
    static final byte CLEANED = 5;

    private static final int IMAGE_BYTES = Short.BYTES + 8 + 2 + 8 + 2 + 8 + 2 + 4 + 1 + 8;

    private TxnEntryLayout() {}

    // ---- writing ----

    static ByteBuffer image(TxnImage image) {
        byte[] id = image.id().getBytes(StandardCharsets.UTF_8);
        return put(ByteBuffer.allocate(1 + IMAGE_BYTES + id.length).put(IMAGE), image, id)
                .flip();
    }

    static ByteBuffer over(long producerId, TxnImage image) {
        byte[] id = image.id().getBytes(StandardCharsets.UTF_8);
        ByteBuffer entry = ByteBuffer.allocate(1 + Long.BYTES + IMAGE_BYTES + id.length);
        return put(entry.put(OVER).putLong(producerId), image, id).flip();
    }

    private static ByteBuffer put(ByteBuffer entry, TxnImage image, byte[] id) {
        return entry.putShort((short) id.length)
                .put(id)
                .putLong(image.producerId())
                .putShort(image.epoch())
                .putLong(image.previousId())
                .putShort(image.previousEpoch())
                .putLong(image.nextId())
                .putShort(image.nextEpoch())
                .putInt(image.timeoutMillis())
                .put(image.state().number())
                .putLong(image.changedMillis());
    }

    static ByteBuffer added(long producerId, short epoch, int[] queueIds) {
        ByteBuffer entry = ByteBuffer.allocate(15 + queueIds.length * Integer.BYTES)
                .put(ADDED)
                .putLong(producerId)
                .putShort(epoch)
                .putInt(queueIds.length);
        for (int queueId : queueIds) {
            entry.putInt(queueId);
        }
        return entry.flip();
    }

    static ByteBuffer forgotten(TxnImage image) {
        byte[] id = image.id().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(11 + id.length)
                .put(FORGOTTEN)
                .putLong(image.producerId())
                .putShort((short) id.length)
                .put(id)
                .flip();
    }

    static ByteBuffer cleaned(int queueId, long beforeOffset) {
        return ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put(CLEANED)
                .putInt(queueId)
                .putLong(beforeOffset)
                .flip();
    }

    // ---- reading, in the order of the layout ----

    static String takeText(ByteBuffer entry) {
        byte[] bytes = new byte[entry.getShort()];
        entry.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static TxnImage takeImage(ByteBuffer entry) {
        return new TxnImage(
                takeText(entry),
                entry.getLong(),
                entry.getShort(),
                entry.getLong(),
                entry.getShort(),
                entry.getLong(),
                entry.getShort(),
                entry.getInt(),
                TxnState.numbered(entry.get()),
                entry.getLong());
    }

    static int[] takeQueueIds(ByteBuffer entry) {
        int[] queueIds = new int[entry.getInt()];
        for (int i = 0; i < queueIds.length; i++) {
            queueIds[i] = entry.getInt();
        }
        return queueIds;
    }
}

package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.EntryText;
import java.nio.ByteBuffer;

/**
 * Layout of the log entries of transactional ids; the snapshot holds images. Numbers are big-endian; texts are as
 * in {@link EntryText}.
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

    /** Without the text. */
    private static final int IMAGE_BYTES = 8 + 2 + 8 + 2 + 8 + 2 + 4 + 1 + 8;

    private TxnEntryLayout() {}

    // ---- writing ----

    static ByteBuffer image(TxnImage image) {
        return put(newEntry(IMAGE, IMAGE_BYTES, image.id()), image);
    }

    static ByteBuffer over(long producerId, TxnImage image) {
        return put(newEntry(OVER, Long.BYTES + IMAGE_BYTES, image.id()).putLong(producerId), image);
    }

    private static ByteBuffer newEntry(byte type, int bytes, String id) {
        return ByteBuffer.allocate(1 + bytes + EntryText.maxBytes(id)).put(type);
    }

    private static ByteBuffer put(ByteBuffer entry, TxnImage image) {
        EntryText.put(entry, image.id());
        return entry.putLong(image.producerId())
                .putShort(image.epoch())
                .putLong(image.previousId())
                .putShort(image.previousEpoch())
                .putLong(image.nextId())
                .putShort(image.nextEpoch())
                .putInt(image.timeoutMillis())
                .put(image.state().number())
                .putLong(image.changedMillis())
                .flip();
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
        ByteBuffer entry = newEntry(FORGOTTEN, Long.BYTES, image.id()).putLong(image.producerId());
        EntryText.put(entry, image.id());
        return entry.flip();
    }

    static ByteBuffer cleaned(int queueId, long beforeOffset) {
        return ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put(CLEANED)
                .putInt(queueId)
                .putLong(beforeOffset)
                .flip();
    }

    // ---- reading, in the order of the layout ----

    static TxnImage takeImage(ByteBuffer entry) {
        return new TxnImage(
                EntryText.take(entry),
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

package io.rivulet.store.entry;

import io.rivulet.store.BatchGate;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.stream.Varint;
import java.nio.ByteBuffer;

/**
 * Layout and encoder of log entries. The first byte is the type; all numbers are varints.
 *
 * <pre>
 * BATCH           | 1 | queueId | baseOffset | stream record, payload always inline |
 * QUEUES_CREATED  | 2 | firstQueueId | count | retentionClass |
 * QUEUES_DELETED  | 3 | firstQueueId | count |
 * TRIMMED         | 4 | queueId | startOffset |
 * STATE           | 5 | viewId | length | bytes |
 * QUEUES_CLASSED  | 6 | firstQueueId | count | retentionClass |
 * HUGE_BATCH      | 7 | queueId | baseOffset | reference to a file | first 64 bytes of the payload |
 * </pre>
 *
 * Entries have no checksum: their group has one. Replaying an entry a second time changes nothing
 * (docs/decisions/0005-store-shape.md). Stateless; buffers are written at absolute indexes.
 */
public final class EntryLayout {
    static final byte BATCH = 1;
    static final byte QUEUES_CREATED = 2;
    static final byte QUEUES_DELETED = 3;
    static final byte TRIMMED = 4;
    static final byte STATE = 5;
    static final byte QUEUES_CLASSED = 6;
    static final byte HUGE_BATCH = 7;

    /** The longest entry of a huge batch. */
    public static final int MAX_HUGE_BYTES = 1
            + Varint.MAX_INT_BYTES
            + Varint.MAX_LONG_BYTES
            + StreamRecord.MAX_HEADER_BYTES
            + StreamRecord.REFERENCE_BYTES
            + BatchGate.HUGE_HEAD_BYTES;

    /** The longest entry, without payload or state bytes. */
    public static final int MAX_OVERHEAD_BYTES =
            1 + Varint.MAX_INT_BYTES + Varint.MAX_LONG_BYTES + StreamRecord.MAX_HEADER_BYTES;

    private EntryLayout() {}

    /** Writes a batch entry and returns where the next one starts. */
    public static int putBatch(
            ByteBuffer dst,
            int at,
            int queueId,
            long baseOffset,
            int recordCount,
            long timestampDelta,
            ByteBuffer payload,
            int payloadAt,
            int payloadLength) {
        int recordAt = Varint.put(dst, putHead(dst, at, BATCH, queueId), baseOffset);
        return StreamRecord.putInline(dst, recordAt, recordCount, timestampDelta, payload, payloadAt, payloadLength);
    }

    /** Writes the start of the entry of a huge batch, and returns where the reference to its file goes. */
    public static int putHugeStart(ByteBuffer dst, int at, int queueId, long baseOffset) {
        return Varint.put(dst, putHead(dst, at, HUGE_BATCH, queueId), baseOffset);
    }

    /** Writes what follows the reference, and returns where the next entry starts. */
    public static int putHugeEnd(ByteBuffer dst, int at, ByteBuffer payload, int payloadAt) {
        dst.put(at, payload, payloadAt, BatchGate.HUGE_HEAD_BYTES);
        return at + BatchGate.HUGE_HEAD_BYTES;
    }

    public static int putQueuesCreated(ByteBuffer dst, int at, int firstQueueId, int count, int retentionClass) {
        return Varint.put(dst, Varint.put(dst, putHead(dst, at, QUEUES_CREATED, firstQueueId), count), retentionClass);
    }

    public static int putQueuesClassed(ByteBuffer dst, int at, int firstQueueId, int count, int retentionClass) {
        return Varint.put(dst, Varint.put(dst, putHead(dst, at, QUEUES_CLASSED, firstQueueId), count), retentionClass);
    }

    public static int putQueuesDeleted(ByteBuffer dst, int at, int firstQueueId, int count) {
        return Varint.put(dst, putHead(dst, at, QUEUES_DELETED, firstQueueId), count);
    }

    public static int putTrimmed(ByteBuffer dst, int at, int queueId, long startOffset) {
        return Varint.put(dst, putHead(dst, at, TRIMMED, queueId), startOffset);
    }

    public static int putState(ByteBuffer dst, int at, int viewId, ByteBuffer source, int sourceAt, int length) {
        int bytesAt = Varint.put(dst, putHead(dst, at, STATE, viewId), length);
        dst.put(bytesAt, source, sourceAt, length);
        return bytesAt + length;
    }

    private static int putHead(ByteBuffer dst, int at, byte type, int id) {
        dst.put(at, type);
        return Varint.put(dst, at + 1, id);
    }
}

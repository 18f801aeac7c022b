package io.rivulet.store.stream;

import io.rivulet.store.Store;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Layout and encoder of one record of a queue's stream. One record is one batch.
 *
 * <pre>
 * inline      | payloadLength &gt; 0 | recordCount | maxTimestamp - timestampBase | payload |
 *             | varint 1..4       | varint 1..5 | zigzag varlong 1..10        |         |
 *
 * reference   | 0                 | recordCount | maxTimestamp - timestampBase | lsn | groupOffset | length | crc32c |
 *             | 1                 | varint 1..5 | zigzag varlong 1..10        | 8   | 4           | 4      | 4      |
 *
 * hole        | 4 MiB + 1         | recordCount | 0                           |
 *             | varint 4          | varint 1..5 | 1                           |
 * </pre>
 *
 * The lsn of a reference to a huge batch is {@link #FIRST_HUGE_LSN} and the number of its file; its groupOffset is 0.
 * Fixed-width fields are big-endian, for any order of the buffer. A batch is never empty, so length 0 marks a
 * reference. A length that is too large marks a hole: offsets whose batches compaction has removed. Only block files
 * have holes. The record has no checksum of its own; log group and block have one. It does not have its offset either:
 * the owner of the stream knows the first one, and each record takes {@code recordCount} offsets.
 *
 * <p>Stateless. Buffers are read and written at absolute indexes; position and limit do not change.
 */
public final class StreamRecord {
    /** A payload of this many bytes or more stays in the log, and the stream holds a reference. */
    public static final int REFERENCE_FROM_BYTES = 32 * 1024;

    /** No payload is longer, because it must fit into one group. */
    public static final int MAX_PAYLOAD_BYTES = Store.MAX_BATCH_BYTES;

    /** The length field of a hole. */
    static final int HOLE_LENGTH = MAX_PAYLOAD_BYTES + 1;

    /** A reference with this lsn, or a greater one, refers to the file of a huge batch. No log has such an lsn. */
    public static final long FIRST_HUGE_LSN = 1L << 62;

    /** Length of the fixed part of a reference. */
    public static final int REFERENCE_BYTES = 20;

    /** The most bytes before payload or reference. */
    public static final int MAX_HEADER_BYTES = 2 * Varint.MAX_INT_BYTES + Varint.MAX_LONG_BYTES;

    /** The fewest bytes of a record. */
    public static final int MIN_RECORD_BYTES = 4;

    static final int LSN_AT = 0;
    static final int GROUP_OFFSET_AT = 8;
    static final int LENGTH_AT = 12;
    static final int CRC_AT = 16;

    static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private StreamRecord() {}

    /** Bytes of an inline record. */
    public static int inlineBytes(int payloadLength, int recordCount, long timestampDelta) {
        return headerBytes(payloadLength, recordCount, timestampDelta) + payloadLength;
    }

    /** Bytes before the payload; the length is 0 for a reference. */
    public static int headerBytes(int payloadLength, int recordCount, long timestampDelta) {
        return Varint.size(payloadLength) + Varint.size(recordCount) + Varint.size(Varint.zigzag(timestampDelta));
    }

    /** Writes an inline record and returns where the next one starts. */
    public static int putInline(
            ByteBuffer dst,
            int at,
            int recordCount,
            long timestampDelta,
            ByteBuffer payload,
            int payloadAt,
            int payloadLength) {
        int bodyAt = putInlineHeader(dst, at, payloadLength, recordCount, timestampDelta);
        dst.put(bodyAt, payload, payloadAt, payloadLength);
        return bodyAt + payloadLength;
    }

    /** Writes what precedes an inline payload, and returns where the payload goes. */
    public static int putInlineHeader(ByteBuffer dst, int at, int payloadLength, int recordCount, long timestampDelta) {
        requireBounds("payload length", payloadLength, MAX_PAYLOAD_BYTES);
        return putHeader(dst, at, payloadLength, recordCount, timestampDelta);
    }

    /** Whether a reference with this lsn refers to the file of a huge batch. */
    public static boolean isHuge(long referenceLsn) {
        return referenceLsn >= FIRST_HUGE_LSN;
    }

    /** The number of the file to which a reference with this lsn refers. */
    public static long hugeNumber(long referenceLsn) {
        return referenceLsn - FIRST_HUGE_LSN;
    }

    /** Writes a reference to the file of a huge batch, and returns where the next record starts. */
    public static int putHugeReference(
            ByteBuffer dst,
            int at,
            int recordCount,
            long timestampDelta,
            long fileNumber,
            int payloadLength,
            int payloadCrc) {
        return putReference(
                dst, at, recordCount, timestampDelta, FIRST_HUGE_LSN + fileNumber, 0, payloadLength, payloadCrc);
    }

    /** Writes a reference record, and returns where the next one starts. */
    public static int putReference(
            ByteBuffer dst,
            int at,
            int recordCount,
            long timestampDelta,
            long lsn,
            int groupOffset,
            int payloadLength,
            int payloadCrc) {
        requireBounds("payload length", payloadLength, isHuge(lsn) ? Integer.MAX_VALUE : MAX_PAYLOAD_BYTES);
        int bodyAt = putHeader(dst, at, 0, recordCount, timestampDelta);
        LONG.set(dst, bodyAt + LSN_AT, lsn);
        INT.set(dst, bodyAt + GROUP_OFFSET_AT, groupOffset);
        INT.set(dst, bodyAt + LENGTH_AT, payloadLength);
        INT.set(dst, bodyAt + CRC_AT, payloadCrc);
        return bodyAt + REFERENCE_BYTES;
    }

    /** Writes a reference to a record of a group to the start of the buffer, and returns its length. */
    public static int putReferenceTo(
            ByteBuffer dst, StreamRecordHeader header, long lsn, ByteBuffer groupBody, int payloadAt) {
        CRC32C crc = new CRC32C();
        crc.update(groupBody.slice(payloadAt, header.payloadLength()));
        int length = header.payloadLength();
        return putReference(
                dst, 0, header.recordCount(), header.timestampDelta(), lsn, payloadAt, length, (int) crc.getValue());
    }

    /** Bytes of a hole. */
    public static int holeBytes(int recordCount) {
        return Varint.size(HOLE_LENGTH) + Varint.size(recordCount) + Varint.size(0);
    }

    /** Writes a hole, and returns where the next record goes. */
    public static int putHole(ByteBuffer dst, int at, int recordCount) {
        return putHeader(dst, at, HOLE_LENGTH, recordCount, 0);
    }

    private static int putHeader(ByteBuffer dst, int at, int payloadLength, int recordCount, long timestampDelta) {
        requireBounds("record count", recordCount, Integer.MAX_VALUE);
        int countAt = Varint.put(dst, at, payloadLength);
        int timestampAt = Varint.put(dst, countAt, recordCount);
        return Varint.put(dst, timestampAt, Varint.zigzag(timestampDelta));
    }

    private static void requireBounds(String what, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(what + " is " + value + ", must be 1.." + max);
        }
    }
}

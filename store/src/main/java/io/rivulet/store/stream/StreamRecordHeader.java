package io.rivulet.store.stream;

import java.nio.ByteBuffer;

/**
 * The part of a record before its payload, decoded from any bytes: reads no byte outside the given range and throws
 * nothing. Reused for one record after another.
 *
 * <p>Owned by: its creator.
 */
public final class StreamRecordHeader {
    private int next;
    private boolean sound;

    private int headerBytes;
    private int payloadLength;
    private boolean reference;
    private boolean hole;
    private int recordCount;
    private long timestampDelta;

    /**
     * Decodes the header that begins at {@code from} and ends before {@code to}, which must be within the buffer. False
     * if it is incomplete or invalid; then the fields have no meaning.
     */
    public boolean decode(ByteBuffer buffer, int from, int to) {
        next = from;
        sound = true;
        long length = varint(buffer, to);
        long count = varint(buffer, to);
        long timestamp = varint(buffer, to);
        headerBytes = next - from;
        hole = length == StreamRecord.HOLE_LENGTH;
        reference = length == 0;
        payloadLength = hole ? 0 : (int) length;
        recordCount = (int) count;
        timestampDelta = Varint.unzigzag(timestamp);
        return sound && length >= 0 && length <= StreamRecord.HOLE_LENGTH && count >= 1 && count <= Integer.MAX_VALUE;
    }

    private long varint(ByteBuffer buffer, int to) {
        long value = 0;
        int limit = Math.min(to, next + Varint.MAX_LONG_BYTES);
        for (int shift = 0; next < limit; shift += 7) {
            byte b = buffer.get(next++);
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        sound = false;
        return 0;
    }

    public int headerBytes() {
        return headerBytes;
    }

    /** Bytes after the header: the payload, or the fixed part of a reference; 0 for a hole. */
    public int bodyBytes() {
        return reference ? StreamRecord.REFERENCE_BYTES : payloadLength;
    }

    public int recordBytes() {
        return headerBytes + bodyBytes();
    }

    public boolean isReference() {
        return reference;
    }

    /** Whether its offsets have no batch any more. */
    public boolean isHole() {
        return hole;
    }

    /** 0 for a reference or a hole. */
    public int payloadLength() {
        return payloadLength;
    }

    /** How many offsets the record takes: at least 1. */
    public int recordCount() {
        return recordCount;
    }

    /** Lsn of a reference whose header begins at {@code recordAt}. */
    public long referenceLsn(ByteBuffer buffer, int recordAt) {
        return (long) StreamRecord.LONG.get(buffer, recordAt + headerBytes + StreamRecord.LSN_AT);
    }

    /** Length of the payload of a reference whose header begins at {@code recordAt}. */
    public int referenceLength(ByteBuffer buffer, int recordAt) {
        return (int) StreamRecord.INT.get(buffer, recordAt + headerBytes + StreamRecord.LENGTH_AT);
    }

    /** Checksum of the payload of a reference whose header begins at {@code recordAt}. */
    public int referenceCrc(ByteBuffer buffer, int recordAt) {
        return (int) StreamRecord.INT.get(buffer, recordAt + headerBytes + StreamRecord.CRC_AT);
    }

    public long timestampDelta() {
        return timestampDelta;
    }
}

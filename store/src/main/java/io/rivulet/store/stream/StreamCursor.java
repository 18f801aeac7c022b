package io.rivulet.store.stream;

import java.nio.ByteBuffer;

/**
 * Iterates over the records in a range of a buffer. Allocates nothing and accepts any bytes: an incomplete or
 * impossible record ends the iteration. {@link #isSound} distinguishes that from the end of the range.
 *
 * <pre>{@code
 * cursor.reset(buffer, from, to, baseOffset);
 * while (cursor.next()) {
 *     ... cursor.baseOffset(), cursor.payloadAt(), cursor.payloadLength() ...
 * }
 * if (!cursor.isSound()) ...
 * }</pre>
 *
 * <p>Owned by: its creator. Reused for one range after another.
 */
public final class StreamCursor {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final StreamRecordHeader header = new StreamRecordHeader();
    private ByteBuffer buffer = NOTHING;
    private int at;
    private int nextAt;
    private int to;
    private long baseOffset;
    private long nextOffset;
    private boolean sound = true;

    /** Moves before the first record of {@code [from, to)}, whose first offset is {@code firstOffset}. */
    public StreamCursor reset(ByteBuffer buffer, int from, int to, long firstOffset) {
        if (from < 0 || from > to || to > buffer.capacity() || to > buffer.limit() || firstOffset < 0) {
            throw new IllegalArgumentException("no range: [" + from + ", " + to + ") at offset " + firstOffset);
        }
        this.buffer = buffer;
        this.at = from;
        this.nextAt = from;
        this.to = to;
        this.baseOffset = firstOffset;
        this.nextOffset = firstOffset;
        this.sound = true;
        return this;
    }

    /** Moves to the next record. False at the end of the range, and from then on if the rest is not valid. */
    public boolean next() {
        if (!sound || nextAt == to) {
            return false;
        }
        sound = header.decode(buffer, nextAt, to)
                && header.bodyBytes() <= to - nextAt - header.headerBytes()
                && (!header.isReference() || isSoundReference(nextAt + header.headerBytes()))
                && nextOffset <= Long.MAX_VALUE - header.recordCount();
        if (sound) {
            at = nextAt;
            baseOffset = nextOffset;
            nextAt += header.recordBytes();
            nextOffset += header.recordCount();
        }
        return sound;
    }

    private boolean isSoundReference(int bodyAt) {
        int length = (int) StreamRecord.INT.get(buffer, bodyAt + StreamRecord.LENGTH_AT);
        int groupOffset = (int) StreamRecord.INT.get(buffer, bodyAt + StreamRecord.GROUP_OFFSET_AT);
        long lsn = (long) StreamRecord.LONG.get(buffer, bodyAt + StreamRecord.LSN_AT);
        int maxLength = StreamRecord.isHuge(lsn) ? Integer.MAX_VALUE : StreamRecord.MAX_PAYLOAD_BYTES;
        return length >= 1 && length <= maxLength && groupOffset >= 0;
    }

    /**
     * Whether all records so far were complete. After {@link #next} returned false: whether the range ended with a
     * record.
     */
    public boolean isSound() {
        return sound;
    }

    /** Where this record begins. */
    public int recordAt() {
        return at;
    }

    public int recordBytes() {
        return nextAt - at;
    }

    /** Where the next record begins. */
    public int nextRecordAt() {
        return nextAt;
    }

    public long baseOffset() {
        return baseOffset;
    }

    /** The offset after this record's last. */
    public long nextOffset() {
        return nextOffset;
    }

    public int recordCount() {
        return header.recordCount();
    }

    public long timestampDelta() {
        return header.timestampDelta();
    }

    public boolean isReference() {
        return header.isReference();
    }

    /** Whether its offsets have no batch any more. */
    public boolean isHole() {
        return header.isHole();
    }

    /** Where the payload begins, or the fixed part of a reference. */
    public int payloadAt() {
        return at + header.headerBytes();
    }

    /** Length of the payload, also of a referenced one; 0 for a hole. */
    public int payloadLength() {
        return isReference() ? fixedInt(StreamRecord.LENGTH_AT) : header.payloadLength();
    }

    /** Lsn of the group that holds the payload. For references only. */
    public long referenceLsn() {
        requireReference();
        return (long) StreamRecord.LONG.get(buffer, payloadAt() + StreamRecord.LSN_AT);
    }

    /** Whether the payload is in a file of its own. */
    public boolean isHuge() {
        return isReference() && StreamRecord.isHuge(referenceLsn());
    }

    /** Where in its group the payload begins. For references only. */
    public int referenceGroupOffset() {
        return fixedInt(StreamRecord.GROUP_OFFSET_AT);
    }

    /** CRC32C of the payload. For references only. */
    public int referenceCrc() {
        return fixedInt(StreamRecord.CRC_AT);
    }

    private int fixedInt(int fieldAt) {
        requireReference();
        return (int) StreamRecord.INT.get(buffer, payloadAt() + fieldAt);
    }

    private void requireReference() {
        if (!isReference()) {
            throw new IllegalStateException("the record at " + at + " holds its payload inline");
        }
    }
}

package io.rivulet.store.stream;

import java.nio.ByteBuffer;

/**
 * Walks over the records in a range of a buffer. Allocates nothing, tolerates garbage: a record that is cut off or
 * impossible ends the walk, and {@link #isSound} tells that from the end of the range.
 *
 * <pre>{@code
 * cursor.reset(buffer, from, to, baseOffset);
 * while (cursor.next()) {
 *     ... cursor.baseOffset(), cursor.payloadAt(), cursor.payloadLength() ...
 * }
 * if (!cursor.isSound()) ...
 * }</pre>
 *
 * <p>Owned by: whoever created it. Reused for one range after another.
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

    /** Stands in front of the first record of {@code [from, to)}, whose first offset is {@code firstOffset}. */
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

    /** Moves to the next record; false at the end of the range, and for good when the rest is not sound. */
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
        return length >= 1 && length <= StreamRecord.MAX_PAYLOAD_BYTES && groupOffset >= 0;
    }

    /** Whether all records so far were whole. After {@link #next} said false: whether the range ended with a record. */
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

    /** Whether it only tells that so many offsets have no batch any more. */
    public boolean isHole() {
        return header.isHole();
    }

    /** Where the payload begins; of a reference, where its fixed part begins. */
    public int payloadAt() {
        return at + header.headerBytes();
    }

    /** Length of the payload, also of one that is referred to; of a hole 0. */
    public int payloadLength() {
        return isReference() ? fixedInt(StreamRecord.LENGTH_AT) : header.payloadLength();
    }

    /** Lsn of the group that holds the payload. Of a reference only. */
    public long referenceLsn() {
        requireReference();
        return (long) StreamRecord.LONG.get(buffer, payloadAt() + StreamRecord.LSN_AT);
    }

    /** Where in its group the payload lies. Of a reference only. */
    public int referenceGroupOffset() {
        return fixedInt(StreamRecord.GROUP_OFFSET_AT);
    }

    /** CRC32C of the payload. Of a reference only. */
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

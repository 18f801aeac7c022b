package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_BODY_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_HEADER_BYTES;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Checks the records of an uncompressed batch without reading their contents, in a small part of a {@link
 * RecordCursor}'s time. It only reports whether all is valid; the cursor finds the reason. Owned by one thread.
 *
 * <p>It uses the buffer's NIO view, like {@link Crc32C}.
 */
final class PlainRecords {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final int VARINT_MAX_SHIFT = 28;
    private static final int VARLONG_MAX_SHIFT = 63;

    private final RecordShape shape = new RecordShape();
    private ByteBuffer bytes = NONE;
    private int at;
    private long baseTimestamp;
    private long maxTimestamp;
    private int indexOfMax;
    private int lastLength;

    /** False if a record is invalid, or if this class can't decide. */
    boolean areSound(RecordBatch batch, boolean keysRequired) {
        ByteBuf buffer = batch.buffer();
        if (batch.isCompressed() || buffer.nioBufferCount() != 1) {
            return false;
        }
        ByteBuffer records = buffer.internalNioBuffer(batch.recordsIndex(), batch.recordsSizeInBytes());
        bytes = records;
        at = records.position();
        baseTimestamp = batch.baseTimestamp();
        maxTimestamp = Long.MIN_VALUE;
        shape.forget();
        lastLength = 0;
        try {
            int end = records.limit();
            int count = batch.recordCount();
            for (int i = 0; i < count; i += 1 + skipLike(i + 1, count, end)) {
                if (!isSound(i, end, keysRequired)) {
                    return false;
                }
            }
            return at == end;
        } catch (IndexOutOfBoundsException e) {
            return false; // a number continues after the end
        } finally {
            bytes = NONE;
        }
    }

    /** The largest timestamp of the last batch. */
    long maxTimestamp() {
        return maxTimestamp;
    }

    /** The index of the first record with that timestamp. */
    int indexOfMax() {
        return indexOfMax;
    }

    /** Skips the records that have the shape of the one before, and returns how many. */
    private int skipLike(int first, int count, int end) {
        int records = shape.run(bytes, at, first, count, end);
        if (records > 0) {
            at += records * shape.recordBytes();
            timestamp(shape.indexOfMax(), shape.maxTimestampDelta());
        }
        return records;
    }

    private boolean isSound(int index, int end, boolean keyRequired) {
        int start = at;
        int length = varint();
        if (length < MIN_RECORD_BODY_BYTES || length > end - at) {
            return false;
        }
        int recordEnd = at + length;
        at++; // attributes: none is defined
        int timestampAt = at;
        timestamp(index, varlong());
        int offsetAt = at;
        int offsetDelta = varint();
        int keyAt = at;
        if (offsetDelta != index || !skip(keyRequired ? 0 : -1, recordEnd)) {
            return false;
        }
        int valueAt = at;
        if (!skip(-1, recordEnd)) {
            return false;
        }
        boolean hasHeaders = at != recordEnd - 1;
        if (!skipHeaders(recordEnd)) {
            return false;
        }
        if (length == lastLength && !hasHeaders) {
            shape.take(bytes, start, timestampAt, offsetAt, keyAt, valueAt, recordEnd);
        }
        lastLength = length;
        return true;
    }

    private void timestamp(int index, long delta) {
        long timestamp = baseTimestamp + delta;
        if (timestamp > maxTimestamp) {
            maxTimestamp = timestamp;
            indexOfMax = index;
        }
    }

    private boolean skipHeaders(int recordEnd) {
        int count = varint();
        if (count < 0 || (long) count * MIN_RECORD_HEADER_BYTES > recordEnd - at) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (!skip(0, recordEnd) || !skip(-1, recordEnd)) {
                return false;
            }
        }
        return at == recordEnd;
    }

    /** Skips a key or a value; the length -1 means null. */
    private boolean skip(int leastLength, int recordEnd) {
        int length = varint();
        if (length < leastLength || length > recordEnd - at) {
            return false;
        }
        at += Math.max(length, 0);
        return true;
    }

    private int varint() {
        int first = bytes.get(at++);
        return first >= 0 ? Varints.unzigzag(first) : Varints.unzigzag((int) rest(first, VARINT_MAX_SHIFT));
    }

    private long varlong() {
        int first = bytes.get(at++);
        return first >= 0 ? Varints.unzigzag((long) first) : Varints.unzigzag(rest(first, VARLONG_MAX_SHIFT));
    }

    private long rest(int first, int maxShift) {
        long raw = first & 0x7f;
        for (int shift = 7; shift <= maxShift; shift += 7) {
            byte group = bytes.get(at++);
            raw |= (group & 0x7fL) << shift;
            if (group >= 0) {
                return raw;
            }
        }
        throw new IndexOutOfBoundsException("a number of too many bytes");
    }
}

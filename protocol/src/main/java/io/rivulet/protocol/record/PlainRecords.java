package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_BODY_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_HEADER_BYTES;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Checks the records of an uncompressed batch without reading their contents, in a quarter of a {@link RecordCursor}'s
 * time. It only reports whether all is valid; the cursor finds the reason. Owned by one thread.
 *
 * <p>It uses the buffer's NIO view, like {@link Crc32C}.
 */
final class PlainRecords {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final int VARINT_MAX_SHIFT = 28;
    private static final int VARLONG_MAX_SHIFT = 63;

    private ByteBuffer bytes = NONE;
    private int at;
    private long baseTimestamp;
    private long maxTimestamp;
    private int indexOfMax;

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
        try {
            int end = records.limit();
            for (int i = 0; i < batch.recordCount(); i++) {
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

    private boolean isSound(int index, int end, boolean keyRequired) {
        int length = varint();
        if (length < MIN_RECORD_BODY_BYTES || length > end - at) {
            return false;
        }
        int recordEnd = at + length;
        at++; // attributes: none is defined
        long timestamp = baseTimestamp + varlong();
        if (timestamp > maxTimestamp) {
            maxTimestamp = timestamp;
            indexOfMax = index;
        }
        return varint() == index
                && skip(keyRequired ? 0 : -1, recordEnd)
                && skip(-1, recordEnd)
                && skipHeaders(recordEnd);
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

package io.rivulet.store.block.read;

import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A record that holds its payload, made of one that refers to the log.
 *
 * <p>Memory: the longest record so far. Owned by: its creator. Reused for one record after another.
 */
public final class InlinedRecord {
    private final LogPayloads log;
    private ByteBuffer record = ByteBuffer.allocate(0);

    public InlinedRecord(LogPayloads log) {
        this.log = log;
    }

    /** The record, good until the next call. The cursor is at one that refers to the log. */
    public ByteBuffer read(int queueId, StreamCursor cursor) throws IOException {
        int length = cursor.payloadLength();
        int bytes = StreamRecord.inlineBytes(length, cursor.recordCount(), cursor.timestampDelta());
        if (record.capacity() < bytes) {
            record = ByteBuffer.allocate(bytes);
        }
        record.clear();
        int payloadAt = StreamRecord.putInlineHeader(record, 0, length, cursor.recordCount(), cursor.timestampDelta());
        record.position(payloadAt).limit(bytes);
        log.read(cursor.referenceLsn(), cursor.referenceGroupOffset(), length, record);
        requirePayload(queueId, cursor, record.flip().position(payloadAt));
        return record.position(0);
    }

    private static void requirePayload(int queueId, StreamCursor cursor, ByteBuffer payload) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(payload);
        if ((int) crc.getValue() != cursor.referenceCrc()) {
            throw new IOException("the log's group " + cursor.referenceLsn() + " at " + cursor.referenceGroupOffset()
                    + " is not what queue " + queueId + " refers to at offset " + cursor.baseOffset());
        }
    }
}

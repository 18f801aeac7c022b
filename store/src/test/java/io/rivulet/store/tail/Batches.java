package io.rivulet.store.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.nio.ByteBuffer;

/** Stream records that contain their queue, offset and time, so that wrong bytes are detected. */
final class Batches {
    static final int MIN_PAYLOAD_BYTES = 16;

    private Batches() {}

    /** Encodes the batch and returns where the next one goes. */
    static int put(ByteBuffer dst, int at, int queueId, long baseOffset, int recordCount, int payloadBytes) {
        int payloadAt = StreamRecord.putInlineHeader(dst, at, payloadBytes, recordCount, baseOffset);
        dst.putInt(payloadAt, queueId);
        dst.putLong(payloadAt + 4, baseOffset);
        dst.putInt(payloadAt + 12, recordCount);
        for (int i = MIN_PAYLOAD_BYTES; i < payloadBytes; i++) {
            dst.put(payloadAt + i, filler(queueId, baseOffset, i));
        }
        return payloadAt + payloadBytes;
    }

    /** Checks that the bytes are whole batches of the queue, one after the other, from one offset to the other. */
    static void requireSound(
            ByteBuffer bytes, int from, int to, int queueId, long startOffset, long endOffset, StreamCursor records) {
        records.reset(bytes, from, to, startOffset);
        while (records.next()) {
            requireSound(bytes, queueId, records);
        }
        if (!records.isSound() || records.nextOffset() != endOffset) {
            throw new AssertionError("queue " + queueId + ": the bytes of [" + startOffset + ", " + endOffset
                    + ") end at " + records.nextOffset() + (records.isSound() ? "" : " with garbage"));
        }
    }

    private static void requireSound(ByteBuffer bytes, int queueId, StreamCursor record) {
        int at = record.payloadAt();
        long base = record.baseOffset();
        boolean sound = record.payloadLength() >= MIN_PAYLOAD_BYTES
                && bytes.getInt(at) == queueId
                && bytes.getLong(at + 4) == base
                && bytes.getInt(at + 12) == record.recordCount()
                && record.timestampDelta() == base;
        for (int i = MIN_PAYLOAD_BYTES; sound && i < record.payloadLength(); i++) {
            sound = bytes.get(at + i) == filler(queueId, base, i);
        }
        if (!sound) {
            throw new AssertionError("queue " + queueId + ": what was read for offset " + base + " is something else");
        }
        assertThat(record.isReference()).isFalse();
    }

    private static byte filler(int queueId, long baseOffset, int i) {
        return (byte) (((queueId * 31L + baseOffset * 17 + i) * 0x9E3779B97F4A7C15L) >>> 56);
    }
}

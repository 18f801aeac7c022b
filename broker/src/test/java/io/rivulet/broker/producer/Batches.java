package io.rivulet.broker.producer;

import io.rivulet.protocol.record.RecordBatchLayout;
import java.nio.ByteBuffer;

/** Headers of batches, as far as sequences look at them. */
final class Batches {
    /** Where the header lies in the buffer. */
    static final int AT = 3;

    private Batches() {}

    static ByteBuffer batch(long producerId, int epoch, int baseSequence, int recordCount) {
        return ByteBuffer.allocate(AT + RecordBatchLayout.HEADER_BYTES)
                .putLong(AT + RecordBatchLayout.PRODUCER_ID, producerId)
                .putShort(AT + RecordBatchLayout.PRODUCER_EPOCH, (short) epoch)
                .putInt(AT + RecordBatchLayout.BASE_SEQUENCE, baseSequence)
                .putInt(AT + RecordBatchLayout.RECORD_COUNT, recordCount);
    }
}

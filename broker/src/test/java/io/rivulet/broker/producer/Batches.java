package io.rivulet.broker.producer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchLayout;

/** Headers of batches, as far as sequences look at them. */
final class Batches {
    private Batches() {}

    static RecordBatch batch(long producerId, int epoch, int baseSequence, int recordCount) {
        ByteBuf buffer = Unpooled.buffer(RecordBatchLayout.HEADER_BYTES).writeZero(RecordBatchLayout.HEADER_BYTES);
        buffer.setInt(
                RecordBatchLayout.LENGTH, RecordBatchLayout.HEADER_BYTES - RecordBatchLayout.LENGTH_OVERHEAD_BYTES);
        buffer.setLong(RecordBatchLayout.PRODUCER_ID, producerId);
        buffer.setShort(RecordBatchLayout.PRODUCER_EPOCH, epoch);
        buffer.setInt(RecordBatchLayout.BASE_SEQUENCE, baseSequence);
        buffer.setInt(RecordBatchLayout.RECORD_COUNT, recordCount);
        buffer.setInt(RecordBatchLayout.LAST_OFFSET_DELTA, recordCount - 1);
        return new RecordBatch().wrap(buffer, 0, RecordBatchLayout.HEADER_BYTES);
    }
}

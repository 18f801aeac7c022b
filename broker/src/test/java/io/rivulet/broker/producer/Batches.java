package io.rivulet.broker.producer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.Slimmer;
import java.nio.ByteBuffer;

/** Headers of batches, with the fields of producers. */
final class Batches {
    /** The index of the header in the buffer. */
    static final int AT = 3;

    private Batches() {}

    static ByteBuffer batch(long producerId, int epoch, int baseSequence, int recordCount) {
        return ByteBuffer.allocate(AT + RecordBatchLayout.HEADER_BYTES)
                .putLong(AT + RecordBatchLayout.PRODUCER_ID, producerId)
                .putShort(AT + RecordBatchLayout.PRODUCER_EPOCH, (short) epoch)
                .putInt(AT + RecordBatchLayout.BASE_SEQUENCE, baseSequence)
                .putInt(AT + RecordBatchLayout.RECORD_COUNT, recordCount);
    }

    /** A slim batch with the same fields and one record. */
    static ByteBuffer slim(long producerId, int epoch, int baseSequence) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf built = builder.producer(producerId, (short) epoch, baseSequence)
                    .append(0, null, new byte[1])
                    .build();
            int length = built.readableBytes();
            int at = new Slimmer().slim(new RecordBatch().wrap(built, 0, length));
            ByteBuffer slim = ByteBuffer.allocate(AT + length - at);
            built.getBytes(at, Unpooled.wrappedBuffer(slim).writerIndex(AT), length - at);
            built.release();
            return slim;
        }
    }
}

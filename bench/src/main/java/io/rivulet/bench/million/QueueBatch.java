package io.rivulet.bench.million;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import java.util.zip.CRC32C;

/** A batch of one record of 58 bytes, which says what queue it is for: the same for each of a queue but for its offset. Confined to one thread. */
final class QueueBatch {
    private static final int VALUE_BYTES = 58;
    /** Behind the value comes the number of headers, none. */
    private static final int BEHIND_VALUE_BYTES = 1;

    private final byte[] template;
    private final int queueAt;
    private final CRC32C crc = new CRC32C();

    QueueBatch() {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.append(System.currentTimeMillis(), null, new byte[VALUE_BYTES]);
            ByteBuf built = builder.build();
            template = new byte[built.readableBytes()];
            built.readBytes(template);
            built.release();
        }
        queueAt = template.length - VALUE_BYTES - BEHIND_VALUE_BYTES;
    }

    int bytes() {
        return template.length;
    }

    /** A batch for the queue. */
    ByteBuf of(int queue) {
        ByteBuf batch = Unpooled.buffer(template.length).writeBytes(template).setInt(queueAt, queue);
        return batch.setInt(RecordBatchLayout.CRC, checksum(batch.array(), 0));
    }

    /** Throws unless a batch of the queue lies there, with this offset, whole. The buffer has an array. */
    void require(ByteBuf buffer, int at, int queue, long offset) {
        long foundOffset = buffer.getLong(at + RecordBatchLayout.BASE_OFFSET);
        int foundQueue = buffer.getInt(at + queueAt);
        if (foundOffset != offset || foundQueue != queue) {
            throw new IllegalStateException("queue " + queue + " at offset " + offset + " has a message of queue "
                    + foundQueue + " with offset " + foundOffset);
        }
        if (buffer.getInt(at + RecordBatchLayout.CRC) != checksum(buffer.array(), buffer.arrayOffset() + at)) {
            throw new IllegalStateException("queue " + queue + " has a damaged message at offset " + offset);
        }
    }

    private int checksum(byte[] batch, int at) {
        crc.reset();
        crc.update(batch, at + RecordBatchLayout.CRC_COVERS_FROM, template.length - RecordBatchLayout.CRC_COVERS_FROM);
        return (int) crc.getValue();
    }
}

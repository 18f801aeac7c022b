package io.rivulet.bench.million;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.bench.load.Batches;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A batch of one record of 58 bytes with the number of its queue. All batches of a queue are equal except for their
 * offsets. A broker may return several of them as one batch. Owned by: one thread.
 */
final class QueueBatch {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int VALUE_BYTES = 58;
    /** The number of headers, which follows the value. */
    private static final int HEADER_COUNT_BYTES = 1;

    /** The lengths of the key and the value as varints. */
    private static final int NO_KEY = 0x01;

    private static final int VALUE_LENGTH = 2 * VALUE_BYTES;

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
        queueAt = template.length - VALUE_BYTES - HEADER_COUNT_BYTES;
    }

    int bytes() {
        return template.length;
    }

    /** Builds a batch for the queue. */
    ByteBuf of(int queue) {
        ByteBuf batch = Unpooled.buffer(template.length).writeBytes(template).setInt(queueAt, queue);
        return batch.setInt(RecordBatchLayout.CRC, checksum(batch.array(), 0, template.length));
    }

    /**
     * Throws unless the batch at this index is valid and has the messages of the queue from this offset. The buffer has
     * an array. Returns the next offset.
     */
    long require(ByteBuf buffer, int at, int queue, long offset) {
        byte[] bytes = buffer.array();
        int from = buffer.arrayOffset() + at;
        int size = Batches.bytes(buffer, at);
        if (buffer.getInt(at + RecordBatchLayout.CRC) != checksum(bytes, from, size)) {
            throw new IllegalStateException("queue " + queue + " has a damaged batch at offset " + offset);
        }
        long foundOffset = buffer.getLong(at + RecordBatchLayout.BASE_OFFSET);
        if (foundOffset != offset) {
            throw new IllegalStateException("queue " + queue + " has offset " + foundOffset + " instead of " + offset);
        }
        int count = buffer.getInt(at + RecordBatchLayout.RECORD_COUNT);
        int next = from + RecordBatchLayout.RECORDS;
        for (int i = 0; i < count; i++) {
            next = requireMessage(bytes, next, queue, offset + i);
        }
        if (next != from + size) {
            throw new IllegalStateException("a batch of queue " + queue + " does not end with its last message");
        }
        return offset + count;
    }

    /** Returns the index of the next message. */
    private static int requireMessage(byte[] bytes, int at, int queue, long offset) {
        int next = afterVarint(bytes, at) + 1; // length, attributes
        next = afterVarint(bytes, afterVarint(bytes, next)); // deltas of timestamp and offset
        if (bytes[next] != NO_KEY
                || bytes[next + 1] != VALUE_LENGTH
                || (int) INT.get(bytes, next + 2) != queue
                || bytes[next + 2 + VALUE_BYTES] != 0) {
            throw new IllegalStateException(
                    "queue " + queue + " has a message at offset " + offset + " that belongs to another queue");
        }
        return next + 2 + VALUE_BYTES + HEADER_COUNT_BYTES;
    }

    private static int afterVarint(byte[] bytes, int at) {
        int next = at;
        while (bytes[next] < 0) {
            next++;
        }
        return next + 1;
    }

    private int checksum(byte[] bytes, int from, int size) {
        crc.reset();
        crc.update(bytes, from + RecordBatchLayout.CRC_COVERS_FROM, size - RecordBatchLayout.CRC_COVERS_FROM);
        return (int) crc.getValue();
    }
}

package io.rivulet.bench.load;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.wire.Records;
import org.jspecify.annotations.Nullable;

/** Walks over the batches of a fetch response and reads their headers only. Stateless. */
public final class Batches {
    private Batches() {}

    /** Receives one batch after the other. */
    @FunctionalInterface
    public interface Visitor {
        /** The batch begins at {@code at} and has the offsets {@code [first, next)}. */
        void visit(ByteBuf buffer, int at, long first, long next);
    }

    /** Visits all complete batches; the last one may be cut off. Returns their bytes. */
    public static int walk(@Nullable Records records, Visitor visitor) {
        if (records == null) {
            return 0;
        }
        ByteBuf buffer = records.buffer();
        int end = records.index() + records.sizeInBytes();
        int at = records.index();
        while (end - at >= RecordBatchLayout.HEADER_BYTES && end - at >= bytes(buffer, at)) {
            long first = buffer.getLong(at + RecordBatchLayout.BASE_OFFSET);
            visitor.visit(buffer, at, first, first + buffer.getInt(at + RecordBatchLayout.LAST_OFFSET_DELTA) + 1);
            at += bytes(buffer, at);
        }
        return at - records.index();
    }

    /** Bytes of the batch at this index. Its header must be complete. */
    public static int bytes(ByteBuf buffer, int at) {
        return RecordBatchLayout.LENGTH_OVERHEAD_BYTES + buffer.getInt(at + RecordBatchLayout.LENGTH);
    }
}

package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.DenseBatch;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.record.SlimBatch;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads records one by one, whatever form their batches have. Markers of transactions are skipped. The memory is that
 * of one batch and its decompression, which is bounded; huge batches are not read.
 *
 * <p>Owned by: the read thread, for one request.
 */
final class RecordReader implements BatchSink, AutoCloseable {
    /** Takes records in the order of their offsets. */
    interface Visitor {
        /** @return false to end */
        boolean record(RecordView record, boolean transactional);

        /**
         * These records are there but can't be shown.
         *
         * @return false to end
         */
        boolean hidden(long offset, int count, String why);

        /** Called after each batch; false to end. */
        boolean goOn(long readBytes);
    }

    private static final int STEP_BYTES = 1 << 20;

    private final StoreReader reader;
    private final int maxDecompressedBytes;
    private final RecordCursor cursor = new RecordCursor();
    private final RecordBatch batch = new RecordBatch();
    private final SlimBatch slim = new SlimBatch();
    private final DenseBatch dense = new DenseBatch();
    private Visitor visitor = NO_VISITOR;
    private long from;
    private long until;
    private long next;
    private boolean ended;
    private long readBytes;

    private static final Visitor NO_VISITOR = new Visitor() {
        @Override
        public boolean record(RecordView record, boolean transactional) {
            return false;
        }

        @Override
        public boolean hidden(long offset, int count, String why) {
            return false;
        }

        @Override
        public boolean goOn(long readBytes) {
            return false;
        }
    };

    RecordReader(StoreReader reader, int maxDecompressedBytes) {
        this.reader = reader;
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    /**
     * Visits the records of a range of offsets.
     *
     * @return the offset after the last visited one; at least the end of the range if the visitor has not ended it
     */
    long read(int queueId, long fromOffset, long untilOffset, Visitor visits) throws IOException {
        visitor = visits;
        from = fromOffset;
        until = untilOffset;
        next = fromOffset;
        ended = false;
        ReadStatus status = ReadStatus.BATCHES;
        while (!ended && next < until && status == ReadStatus.BATCHES) {
            status = reader.read(queueId, next, STEP_BYTES, this);
        }
        return ended ? next : Math.max(next, until);
    }

    /** The bytes of all batches so far, as they are stored. */
    long readBytes() {
        return readBytes;
    }

    @Override
    public boolean batch(long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes, int at, int length) {
        if (baseOffset >= until) {
            next = until;
            return false;
        }
        readBytes += length;
        boolean isSlim = SlimBatch.isSlim(bytes.get(at));
        ByteBuf full = isSlim ? fullOf(baseOffset, maxTimestamp, bytes, at, length) : copy(bytes, at, length);
        batch.wrap(full, 0, full.readableBytes());
        batch.stampBaseOffset(baseOffset);
        if (!batch.isControl()) {
            visitRecords(baseOffset, recordCount);
        }
        return endBatch(baseOffset + recordCount);
    }

    private boolean endBatch(long nextOffset) {
        if (!ended) {
            next = nextOffset;
            ended = !visitor.goOn(readBytes);
        }
        return !ended && next < until;
    }

    private void visitRecords(long baseOffset, int recordCount) {
        boolean transactional = batch.isTransactional();
        try {
            cursor.begin(batch, maxDecompressedBytes);
            while (!ended && cursor.next()) {
                long offset = cursor.record().offset();
                if (offset >= from && offset < until) {
                    next = offset + 1;
                    ended = !visitor.record(cursor.record(), transactional);
                }
            }
        } catch (InvalidBatchException e) {
            hide(next, (int) (baseOffset + recordCount - next), "not readable: " + e.getMessage());
        } finally {
            cursor.end();
        }
    }

    private void hide(long offset, int count, String why) {
        ended = !visitor.hidden(offset, count, why);
        next = offset + count;
    }

    private static ByteBuf copy(ByteBuffer bytes, int at, int length) {
        byte[] copy = new byte[length];
        bytes.get(at, copy);
        return Unpooled.wrappedBuffer(copy);
    }

    private ByteBuf fullOf(long offset, long timestamp, ByteBuffer bytes, int at, int length) {
        int bodyAt = slim.wrap(bytes, at).bodyAt();
        int bodyLength = at + length - bodyAt;
        ByteBuffer full = ByteBuffer.allocate(DenseBatch.bytesOfFirst(bodyLength));
        dense.begin(offset, timestamp);
        dense.append(full, 0, timestamp, bytes, bodyAt, bodyLength);
        dense.close(full, 0, 0);
        return Unpooled.wrappedBuffer(full);
    }

    @Override
    public boolean huge(long baseOffset, int recordCount, long maxTimestamp, HugeBatch huge) {
        if (baseOffset >= until) {
            next = until;
            return false;
        }
        hide(baseOffset, recordCount, "a batch of " + huge.length() + " bytes is not shown");
        return endBatch(baseOffset + recordCount);
    }

    @Override
    public void close() {
        cursor.close();
    }
}

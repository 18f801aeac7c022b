package io.rivulet.broker.lag;

import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.SlimBatch;
import io.rivulet.store.BatchSink;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The time of the record at an offset: the first timestamp of its batch, because offsets are mostly committed between
 * batches. Where the batch has none, the highest. Owned by: one read thread.
 */
public final class FirstTime implements BatchSink {
    /** There is no record, or it has no time. */
    public static final long UNKNOWN = -1;

    private static final int WITHOUT_FIRST =
            RecordBatchLayout.LOG_APPEND_TIME_BIT | RecordBatchLayout.DELETE_HORIZON_BIT;

    private long millis = UNKNOWN;

    private FirstTime() {}

    /** Of the first record from the offset on that still exists. */
    public static long read(StoreReader reader, Store store, int queueId, long offset) throws IOException {
        FirstTime time = new FirstTime();
        reader.read(queueId, Math.max(offset, store.startOffset(queueId)), 1, time);
        return time.millis;
    }

    @Override
    public boolean batch(long baseOffset, int count, long maxTimestamp, ByteBuffer bytes, int at, int length) {
        ByteBuffer batch = bytes.duplicate(); // big-endian
        boolean hasFirst = !SlimBatch.isSlim(batch.get(at))
                && (batch.getShort(at + RecordBatchLayout.ATTRIBUTES) & WITHOUT_FIRST) == 0;
        millis = hasFirst ? batch.getLong(at + RecordBatchLayout.BASE_TIMESTAMP) : maxTimestamp;
        return false;
    }

    @Override
    public boolean huge(long baseOffset, int count, long maxTimestamp, HugeBatch batch) {
        millis = maxTimestamp;
        return false;
    }
}

package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.wire.Records;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * The producers with a batch or marker among the records. The batches are visited when the first producer is asked for,
 * so records without aborted transactions cost nothing.
 *
 * <p>Owned by: the fetch. Valid as long as the records.
 */
public final class ProducersOf implements LongPredicate {
    private static final int INITIAL_IDS = 16;

    private final Records records;
    private long[] ids = {};
    private int count;

    public ProducersOf(Records records) {
        this.records = records;
    }

    @Override
    public boolean test(long producerId) {
        if (count == 0) {
            collect();
        }
        return Arrays.binarySearch(ids, 0, count, producerId) >= 0;
    }

    private void collect() {
        ByteBuf buffer = records.buffer();
        int end = records.index() + records.sizeInBytes();
        for (int at = records.index(); at < end; at += lengthOf(buffer, at)) {
            long id = buffer.getLong(at + RecordBatchLayout.PRODUCER_ID);
            if (count == 0 || ids[count - 1] != id) {
                add(id);
            }
        }
        Arrays.sort(ids, 0, count);
    }

    private static int lengthOf(ByteBuf buffer, int at) {
        return RecordBatchLayout.LENGTH_OVERHEAD_BYTES + buffer.getInt(at + RecordBatchLayout.LENGTH);
    }

    private void add(long id) {
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, Math.max(INITIAL_IDS, 2 * count));
        }
        ids[count++] = id;
    }
}

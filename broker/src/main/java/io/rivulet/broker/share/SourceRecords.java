package io.rivulet.broker.share;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.fetch.FetchBuffer;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records of queues again, to copy them into dead letters. Of each queue they are asked for in their order. A
 * record that was deleted or can't be read is missing, and so is one of a huge batch.
 *
 * <p>Owned by: the read thread, for one slice of letters. Memory: one read, which is {@link #READ_BYTES} or one batch.
 */
final class SourceRecords implements AutoCloseable {
    static final int READ_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SourceRecords.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final int NO_QUEUE = -1;
    /** It belongs to a batch. The records are copied without it. */
    private static final int ANY_EPOCH = 0;

    private final StoreReader reader;
    private final int maxDecompressedBytes;
    private final FetchBuffer buffer = new FetchBuffer(UnpooledByteBufAllocator.DEFAULT, ANY_EPOCH);
    private final RecordCursor cursor = new RecordCursor();
    private final RecordBatch batch = new RecordBatch();

    private int queueId = NO_QUEUE;
    private @Nullable Records read;
    /** Where the next batch begins in what was read. */
    private int next;
    /** No offset before this one is behind what was read. */
    private long readUntil;
    /** The cursor is at a record. */
    private boolean atRecord;

    SourceRecords(StoreReader reader, int maxDecompressedBytes) {
        this.reader = reader;
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    /**
     * The record, until the next call; null if it is missing.
     *
     * @param last an offset behind it that may be asked for, too
     */
    @Nullable
    RecordView find(int ofQueue, long offset, long last) {
        if (queueId != ofQueue) {
            forget();
            queueId = ofQueue;
            readUntil = 0;
        }
        try {
            return find(offset, last);
        } catch (IOException | InvalidBatchException e) {
            LIMIT.log(more ->
                    LOG.warn("Offset {} of queue {} can't be copied into a dead letter{}", offset, ofQueue, more, e));
            forget();
            readUntil = offset + 1;
            return null;
        }
    }

    private @Nullable RecordView find(long offset, long last) throws IOException {
        while (true) {
            while (atRecord && cursor.record().offset() < offset) {
                atRecord = cursor.next();
            }
            if (atRecord) {
                return cursor.record().offset() == offset ? cursor.record() : null;
            }
            if (!openBatch(offset) && (offset < readUntil || !readMore(offset, last))) {
                return null;
            }
        }
    }

    /** Opens the next batch that does not end before the offset. False if there is none in what was read. */
    private boolean openBatch(long offset) {
        Records all = read;
        while (all != null && next < all.index() + all.sizeInBytes()) {
            ByteBuf bytes = all.buffer();
            batch.wrap(bytes, next, all.index() + all.sizeInBytes() - next);
            next += batch.sizeInBytes();
            int lastDelta = bytes.getInt(batch.index() + RecordBatchLayout.LAST_OFFSET_DELTA);
            if (batch.baseOffset() + lastDelta >= offset) {
                cursor.begin(batch, maxDecompressedBytes);
                atRecord = cursor.next();
                return true;
            }
        }
        return false;
    }

    private boolean readMore(long offset, long last) throws IOException {
        forget();
        ReadStatus status = buffer.read(reader::read, queueId, offset, last + 1, READ_BYTES, true);
        read = status == ReadStatus.BATCHES ? buffer.records() : null;
        Records all = read;
        if (all == null) {
            // Behind a deleted record or a huge batch there may be others. Otherwise there is nothing up to the last
            // one.
            boolean isEmpty = status == ReadStatus.BATCHES && buffer.missingBytes() == 0;
            readUntil = isEmpty ? last + 1 : offset + 1;
            return false;
        }
        next = all.index();
        readUntil = buffer.nextOffset();
        return true;
    }

    private void forget() {
        cursor.end();
        atRecord = false;
        read = null;
        buffer.release();
    }

    @Override
    public void close() {
        forget();
        cursor.close();
    }
}

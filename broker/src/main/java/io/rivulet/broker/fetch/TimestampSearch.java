package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.SlimBatch;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds records by their time. The directories of block files have the highest timestamp of each block, so a search
 * reads at most one block, the tail, and the records of one batch. Of a huge batch it remembers where it is. If its
 * records are needed in the end, they are read once, and only by a search that has the memory.
 *
 * <p>Owned by: the read thread, for one search.
 */
public final class TimestampSearch implements AutoCloseable {
    /** An offset and the timestamp of its record. */
    public record Found(long offset, long timestamp) {}

    private static final int STEP_BYTES = 1 << 20;

    private final RecordCursor records = new RecordCursor();
    private final int maxDecompressedBytes;
    private long nextOffset;
    private boolean ended;
    private boolean hasCandidate;
    /** Null for a batch with one record, which has the offset and timestamp of the batch. */
    private @Nullable ByteBuf candidate;

    private long candidateOffset;
    private long candidateEndOffset;
    private long candidateTimestamp;
    /** The size of a huge candidate with several records, which is still in its file; otherwise 0. */
    private int candidateHugeBytes;

    private @Nullable ByteBufAllocator hugeMemory;
    private boolean needsHuge;
    private boolean moved;
    /** The first record with the largest timestamp of those that were searched in the candidate; -1 if none was. */
    private long highestOffset;

    private long highestTimestamp;

    public TimestampSearch(int maxDecompressedBytes) {
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    /** From now on a huge batch is read into memory of this allocator. */
    public void allowHuge(ByteBufAllocator memory) {
        hugeMemory = memory;
    }

    /** Whether the last search found only a huge batch, which it may not read. */
    public boolean needsHuge() {
        return needsHuge;
    }

    /** Whether the huge batch that the last search found was removed before it was read. Then search again. */
    public boolean hasMoved() {
        return moved;
    }

    /** The first record that is not older than the timestamp; null if there is none. */
    public @Nullable Found firstFrom(StoreReader reader, int queueId, long startOffset, long timestamp)
            throws IOException {
        Found found = firstInOneBatch(reader, queueId, startOffset, timestamp);
        // If the queue begins within a batch, the timestamp of the batch may be that of a deleted record.
        while (found == null && isExhausted()) {
            found = firstInOneBatch(reader, queueId, candidateEndOffset, timestamp);
        }
        return found;
    }

    private @Nullable Found firstInOneBatch(StoreReader reader, int queueId, long startOffset, long timestamp)
            throws IOException {
        long from = Math.max(startOffset, reader.seek(queueId, startOffset, timestamp));
        begin();
        scan(reader, queueId, from, new Candidates() {
            @Override
            boolean isWanted(long baseOffset, int count, long maxTimestamp) {
                nextOffset = baseOffset + count;
                ended = maxTimestamp >= timestamp;
                return ended;
            }

            @Override
            boolean goesOn() {
                return !ended;
            }
        });
        return findInCandidate(reader, queueId, startOffset, timestamp);
    }

    /** The first record with the largest timestamp; null if there is none. */
    public @Nullable Found latest(StoreReader reader, int queueId, long startOffset) throws IOException {
        Found found = latestInOneBatch(reader, queueId, startOffset);
        if (found != null || !isExhausted() || candidateOffset >= startOffset) {
            return found;
        }
        // The queue begins within the batch, and the record with the timestamp of the batch was deleted.
        Found inFirst = highestOffset < 0 ? null : new Found(highestOffset, highestTimestamp);
        Found later = latestInOneBatch(reader, queueId, candidateEndOffset);
        if (needsHuge || moved) {
            return null;
        }
        return later == null || (inFirst != null && inFirst.timestamp >= later.timestamp) ? inFirst : later;
    }

    private @Nullable Found latestInOneBatch(StoreReader reader, int queueId, long startOffset) throws IOException {
        begin();
        long tailStart = Math.max(startOffset, reader.tailStart(queueId));
        OptionalLong inBlock = reader.seekHighest(queueId, startOffset);
        if (inBlock.isPresent()) {
            reader.read(queueId, Math.max(startOffset, inBlock.getAsLong()), 1, new Candidates() {
                @Override
                boolean isWanted(long baseOffset, int count, long maxTimestamp) {
                    return true;
                }

                @Override
                boolean goesOn() {
                    return false;
                }
            });
        }
        scan(reader, queueId, tailStart, new Candidates() {
            @Override
            boolean isWanted(long baseOffset, int count, long maxTimestamp) {
                nextOffset = baseOffset + count;
                return !hasCandidate || maxTimestamp > candidateTimestamp;
            }

            @Override
            boolean goesOn() {
                return true;
            }
        });
        return findInCandidate(reader, queueId, startOffset, candidateTimestamp);
    }

    /** Whether all records of a batch were read and none was found. */
    private boolean isExhausted() {
        return hasCandidate && !needsHuge && !moved;
    }

    private void begin() {
        hasCandidate = false;
        candidateHugeBytes = 0;
        needsHuge = false;
        moved = false;
        highestOffset = -1;
    }

    private void scan(StoreReader reader, int queueId, long startOffset, BatchSink sink) throws IOException {
        ended = false;
        nextOffset = startOffset;
        while (!ended && reader.read(queueId, nextOffset, STEP_BYTES, sink) == ReadStatus.BATCHES) {
            // the sink has moved nextOffset
        }
    }

    /** Keeps the wanted batches. */
    private abstract class Candidates implements BatchSink {
        abstract boolean isWanted(long baseOffset, int count, long maxTimestamp);

        /** Whether to read the next batch. */
        abstract boolean goesOn();

        @Override
        public boolean batch(long baseOffset, int count, long maxTimestamp, ByteBuffer bytes, int at, int length) {
            if (isWanted(baseOffset, count, maxTimestamp)) {
                boolean slim = SlimBatch.isSlim(bytes.get(at));
                keep(baseOffset, count, maxTimestamp, slim ? null : copy(baseOffset, bytes, at, length), 0);
            }
            return goesOn();
        }

        @Override
        public boolean huge(long baseOffset, int count, long maxTimestamp, HugeBatch batch) {
            if (isWanted(baseOffset, count, maxTimestamp)) {
                keep(baseOffset, count, maxTimestamp, null, count == 1 ? 0 : batch.length());
            }
            return goesOn();
        }
    }

    private void keep(long baseOffset, int count, long maxTimestamp, @Nullable ByteBuf batch, int hugeBytes) {
        hasCandidate = true;
        candidate = batch;
        candidateOffset = baseOffset;
        candidateEndOffset = baseOffset + count;
        candidateTimestamp = maxTimestamp;
        candidateHugeBytes = hugeBytes;
    }

    private static ByteBuf copy(long baseOffset, ByteBuffer bytes, int at, int length) {
        byte[] copy = new byte[length];
        bytes.get(at, copy);
        ByteBuf batch = Unpooled.wrappedBuffer(copy);
        new RecordBatch().wrap(batch, 0, length).stampBaseOffset(baseOffset);
        return batch;
    }

    private @Nullable Found findInCandidate(StoreReader reader, int queueId, long startOffset, long timestamp)
            throws IOException {
        if (!hasCandidate) {
            return null;
        }
        if (candidateHugeBytes > 0) {
            return findInHuge(reader, queueId, startOffset, timestamp);
        }
        ByteBuf batch = candidate;
        return batch == null
                ? new Found(candidateOffset, candidateTimestamp)
                : findInBatch(batch, startOffset, timestamp);
    }

    private @Nullable Found findInHuge(StoreReader reader, int queueId, long startOffset, long timestamp)
            throws IOException {
        ByteBufAllocator memory = hugeMemory;
        if (memory == null) {
            needsHuge = true;
            return null;
        }
        ByteBuf batch = memory.directBuffer(candidateHugeBytes, candidateHugeBytes);
        try {
            // The batch may begin before the first offset of the queue.
            reader.read(queueId, Math.max(candidateOffset, startOffset), 1, new HugeCandidate(batch));
            moved = batch.writerIndex() == 0;
            return moved ? null : findInBatch(batch, startOffset, timestamp);
        } finally {
            batch.release();
        }
    }

    /** Reads the huge candidate, unless another batch is in its place. */
    private final class HugeCandidate implements BatchSink {
        private final ByteBuf target;

        HugeCandidate(ByteBuf target) {
            this.target = target;
        }

        @Override
        public boolean batch(long baseOffset, int count, long maxTimestamp, ByteBuffer bytes, int at, int length) {
            return false;
        }

        @Override
        public boolean huge(long baseOffset, int count, long maxTimestamp, HugeBatch batch) throws IOException {
            if (baseOffset == candidateOffset && batch.length() == candidateHugeBytes) {
                batch.read(target.nioBuffer(0, candidateHugeBytes));
                target.writerIndex(candidateHugeBytes);
                new RecordBatch().wrap(target, 0, candidateHugeBytes).stampBaseOffset(baseOffset);
            }
            return false;
        }
    }

    private @Nullable Found findInBatch(ByteBuf batch, long startOffset, long timestamp) {
        records.beginSkimming(new RecordBatch().wrap(batch, 0, batch.readableBytes()), maxDecompressedBytes);
        try {
            while (records.next()) {
                long offset = records.record().offset();
                long time = records.record().timestamp();
                if (offset < startOffset) {
                    continue;
                }
                if (time >= timestamp) {
                    return new Found(offset, time);
                }
                if (highestOffset < 0 || time > highestTimestamp) {
                    highestOffset = offset;
                    highestTimestamp = time;
                }
            }
        } finally {
            records.end();
        }
        return null;
    }

    @Override
    public void close() {
        records.close();
    }
}

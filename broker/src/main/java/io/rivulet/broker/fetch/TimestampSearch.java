package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
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
 * reads at most one block, the tail, and the records of one batch.
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
    private long candidateTimestamp;

    public TimestampSearch(int maxDecompressedBytes) {
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    /** The first record that is not older than the timestamp; null if there is none. */
    public @Nullable Found firstFrom(StoreReader reader, int queueId, long startOffset, long timestamp)
            throws IOException {
        long from = reader.seek(queueId, startOffset, timestamp);
        hasCandidate = false;
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
        return findInCandidate(startOffset, timestamp);
    }

    /** The first record with the largest timestamp; null if there is none. */
    public @Nullable Found latest(StoreReader reader, int queueId, long startOffset) throws IOException {
        hasCandidate = false;
        long tailStart = Math.max(startOffset, reader.tailStart(queueId));
        OptionalLong inBlock = reader.seekHighest(queueId, startOffset);
        if (inBlock.isPresent()) {
            reader.read(queueId, inBlock.getAsLong(), 1, new Candidates() {
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
        return findInCandidate(startOffset, candidateTimestamp);
    }

    private void scan(StoreReader reader, int queueId, long startOffset, BatchSink sink) throws IOException {
        ended = false;
        nextOffset = startOffset;
        while (!ended && reader.read(queueId, nextOffset, STEP_BYTES, sink) == ReadStatus.BATCHES) {
            // the sink has moved nextOffset
        }
    }

    /** Keeps the wanted batches. A huge batch is read only if it has more than one record. */
    private abstract class Candidates implements BatchSink {
        abstract boolean isWanted(long baseOffset, int count, long maxTimestamp);

        /** Whether to read the next batch. */
        abstract boolean goesOn();

        @Override
        public boolean batch(long baseOffset, int count, long maxTimestamp, ByteBuffer bytes, int at, int length) {
            if (isWanted(baseOffset, count, maxTimestamp)) {
                keep(baseOffset, maxTimestamp, bytes, at, length);
            }
            return goesOn();
        }

        @Override
        public boolean huge(long baseOffset, int count, long maxTimestamp, HugeBatch batch) throws IOException {
            if (isWanted(baseOffset, count, maxTimestamp)) {
                if (count == 1) {
                    keepOnly(baseOffset, maxTimestamp);
                } else {
                    ByteBuffer bytes = ByteBuffer.allocate(batch.length());
                    batch.read(bytes);
                    keep(baseOffset, maxTimestamp, bytes, 0, batch.length());
                }
            }
            return goesOn();
        }
    }

    /** The batch has one record. */
    private void keepOnly(long offset, long timestamp) {
        hasCandidate = true;
        candidate = null;
        candidateOffset = offset;
        candidateTimestamp = timestamp;
    }

    private void keep(long baseOffset, long maxTimestamp, ByteBuffer bytes, int at, int length) {
        hasCandidate = true;
        candidate = SlimBatch.isSlim(bytes.get(at)) ? null : copy(baseOffset, bytes, at, length);
        candidateOffset = baseOffset;
        candidateTimestamp = maxTimestamp;
    }

    private static ByteBuf copy(long baseOffset, ByteBuffer bytes, int at, int length) {
        byte[] copy = new byte[length];
        bytes.get(at, copy);
        ByteBuf batch = Unpooled.wrappedBuffer(copy);
        new RecordBatch().wrap(batch, 0, length).stampBaseOffset(baseOffset);
        return batch;
    }

    private @Nullable Found findInCandidate(long startOffset, long timestamp) {
        if (!hasCandidate) {
            return null;
        }
        ByteBuf batch = candidate;
        if (batch == null) {
            return new Found(candidateOffset, candidateTimestamp);
        }
        records.beginSkimming(new RecordBatch().wrap(batch, 0, batch.readableBytes()), maxDecompressedBytes);
        try {
            while (records.next()) {
                if (records.record().timestamp() >= timestamp
                        && records.record().offset() >= startOffset) {
                    return new Found(records.record().offset(), records.record().timestamp());
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

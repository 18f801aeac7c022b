package io.rivulet.store.read;

import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.read.BlockRead;
import io.rivulet.store.block.read.BlockReader;
import io.rivulet.store.block.read.BlockReader.PieceVisitor;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.huge.RemovedException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.TrimmedException;
import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.tail.TailCursor;
import io.rivulet.store.tail.TailCursors;
import io.rivulet.store.tail.TailRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Reads records from where they are: the tail, block files, the log for large batches, or files for huge ones.
 *
 * <p>Owned by: one thread. Memory: 1.4 MiB, and that of {@link LargeBatches}.
 */
public final class QueueReader implements StoreReader {
    private static final int STREAM_BYTES = 1 << 20;
    /**
     * Records move from the tail to block files, and from the log into blocks, but rarely. A read never meets so many
     * moves.
     */
    private static final int MAX_ATTEMPTS = 10_000;

    private static final int READ_AHEAD_BYTES = 256 << 10;

    private final QueueTable table;
    private final Tail tail;
    private final LargeBatches large;
    private final HugeBatches huge;
    private final long timestampBase;
    private final BlockReader blocks;
    private final TailCursors tailCursors = new TailCursors();
    private final StreamCursor cursor = new StreamCursor();
    private final ByteBuffer stream = ByteBuffer.allocateDirect(STREAM_BYTES);
    /** What the cursor goes through: {@link #stream}, or one record that is larger. */
    private ByteBuffer records = stream;

    public QueueReader(
            QueueTable table, Tail tail, BlockFiles files, CommitLog log, HugeBatches huge, long timestampBase) {
        this.table = table;
        this.tail = tail;
        this.large = new LargeBatches(log);
        this.huge = huge;
        this.timestampBase = timestampBase;
        this.blocks = new BlockReader(files, READ_AHEAD_BYTES);
    }

    @Override
    public ReadStatus read(int queueId, long offset, int maxBytes, BatchSink sink) throws IOException {
        long from = offset;
        boolean passesTail = false;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            ReadStatus statusOf = statusOf(queueId, from);
            if (statusOf != ReadStatus.BATCHES) {
                return statusOf;
            }
            try {
                if (passesTail ? fillFromBlocks(queueId, from, maxBytes) : fill(queueId, from, maxBytes)) {
                    if (handOn(sink, maxBytes)) {
                        return ReadStatus.BATCHES;
                    }
                    if (cursor.nextOffset() > from) {
                        attempt = 0; // Nothing but holes so far.
                        from = cursor.nextOffset();
                    }
                }
                passesTail = false;
            } catch (TrimmedException | RemovedException e) {
                // A block file has what replaced the reference. The tail may still have the reference for a while.
                passesTail = true;
            }
        }
        throw new IOException(
                "offset " + offset + " of queue " + queueId + " is neither in the tail nor in a block file");
    }

    @Override
    public ReadStatus readTail(int queueId, long offset, int maxBytes, BatchSink sink) {
        ReadStatus statusOf = statusOf(queueId, offset);
        if (statusOf != ReadStatus.BATCHES) {
            return statusOf;
        }
        stream.clear();
        TailCursor tailCursor = tailCursors.of(queueId);
        if (tail.read(queueId, offset, maxBytes, stream, tailCursor) != TailRead.OK) {
            return ReadStatus.NOT_IN_TAIL;
        }
        use(stream, tailCursor.startOffset());
        return handOnInline(sink, maxBytes) ? ReadStatus.BATCHES : ReadStatus.NOT_IN_TAIL;
    }

    /** The status before records are searched: BATCHES if there are any. */
    private ReadStatus statusOf(int queueId, long offset) {
        if (!table.exists(queueId)) {
            return ReadStatus.NO_QUEUE;
        }
        long endOffset = table.endOffset(queueId);
        if (offset < table.startOffset(queueId) || offset > endOffset) {
            return ReadStatus.OUT_OF_RANGE;
        }
        return offset == endOffset ? ReadStatus.AT_END : ReadStatus.BATCHES;
    }

    private boolean handOnInline(BatchSink sink, int maxBytes) {
        long handedOn = 0;
        boolean more = true;
        while (more && cursor.next() && !cursor.isReference() && fits(handedOn, maxBytes)) {
            more = sink.batch(
                    cursor.baseOffset(),
                    cursor.recordCount(),
                    timestampBase + cursor.timestampDelta(),
                    records,
                    cursor.payloadAt(),
                    cursor.payloadLength());
            handedOn += cursor.payloadLength();
        }
        return handedOn > 0;
    }

    private boolean fits(long handedOn, int maxBytes) {
        return handedOn == 0 || handedOn + cursor.payloadLength() <= maxBytes;
    }

    @Override
    public long seek(int queueId, long offset, long timestamp) throws IOException {
        long tailStart = Math.max(offset, tailStart(queueId));
        return blocks.offsetForTimestamp(queueId, offset, timestamp - timestampBase)
                .orElse(tailStart);
    }

    @Override
    public OptionalLong seekHighest(int queueId, long offset) throws IOException {
        return blocks.offsetOfHighestTimestamp(queueId, offset, Long.MIN_VALUE);
    }

    @Override
    public long tailStart(int queueId) {
        long tailStart = table.tailStart(queueId);
        return tailStart == QueueRow.ABSENT ? 0 : tailStart;
    }

    @Override
    public long sizeBytes(int queueId) throws IOException {
        long startOffset = table.startOffset(queueId);
        long tailStart = Math.max(startOffset, tailStart(queueId));
        long[] sum = {0};
        blocks.forEachPiece(new int[] {queueId}, 0, 1, new PieceVisitor() {
            @Override
            public long startOffset(int ofQueue) {
                return startOffset;
            }

            @Override
            public void piece(int ofQueue, long endOffset, long bytes) {
                sum[0] += endOffset <= tailStart ? bytes : 0;
            }
        });
        long[] next = {tailStart};
        ReadStatus status = ReadStatus.BATCHES;
        while (status == ReadStatus.BATCHES) {
            status = read(queueId, next[0], STREAM_BYTES, new BatchSink() {
                @Override
                public boolean batch(long base, int count, long maxTimestamp, ByteBuffer bytes, int at, int length) {
                    sum[0] += length;
                    next[0] = base + count;
                    return true;
                }

                @Override
                public boolean huge(long base, int count, long maxTimestamp, HugeBatch batch) {
                    return batch(base, count, maxTimestamp, stream, 0, batch.length());
                }
            });
        }
        return sum[0];
    }

    /** Puts records into the stream buffer; false if they moved from the tail to block files meanwhile. */
    private boolean fill(int queueId, long offset, int maxBytes) throws IOException {
        stream.clear();
        TailCursor tailCursor = tailCursors.of(queueId);
        TailRead read = tail.read(queueId, offset, maxBytes, stream, tailCursor);
        if (read == TailRead.OK) {
            use(stream, tailCursor.startOffset());
            return true;
        }
        return read == TailRead.BELOW_TAIL && fillFromBlocks(queueId, offset, maxBytes);
    }

    private boolean fillFromBlocks(int queueId, long offset, int maxBytes) throws IOException {
        stream.clear();
        stream.limit(Math.max(1, Math.min(stream.capacity(), maxBytes)));
        ByteBuffer target = stream;
        BlockRead block = blocks.read(queueId, offset, target, PageClass.SCAN);
        if (block.outcome() == BlockRead.Outcome.TOO_SMALL) {
            int bytes = block.bytes();
            boolean isLarge = bytes > stream.capacity();
            target = isLarge ? large.room(bytes) : stream.clear();
            block = blocks.read(queueId, offset, target, PageClass.SCAN);
            if (isLarge && block.bytes() != bytes) {
                return false; // Another file has the record now. A batch of the log would overwrite this memory.
            }
        }
        if (block.outcome() != BlockRead.Outcome.RECORDS || block.baseOffset() > offset) {
            return false; // Never skip a gap: the record moved meanwhile, or it is missing.
        }
        use(target, block.baseOffset());
        return true;
    }

    private void use(ByteBuffer filled, long baseOffset) {
        records = filled.flip();
        cursor.reset(records, 0, records.limit(), baseOffset);
    }

    /** A failure after the first batch ends the read. The next read begins there, and throws. */
    private boolean handOn(BatchSink sink, int maxBytes) throws IOException {
        long handedOn = 0;
        boolean more = true;
        large.forget();
        while (more && cursor.next() && fits(handedOn, maxBytes)) {
            if (cursor.isHole()) {
                continue;
            }
            try {
                more = cursor.isHuge() ? handOnHuge(sink) : handOnBatch(sink, maxBytes - handedOn);
            } catch (IOException e) {
                if (handedOn > 0) {
                    return true;
                }
                throw e;
            }
            handedOn += cursor.payloadLength();
        }
        return handedOn > 0;
    }

    private boolean handOnBatch(BatchSink sink, long wantedBytes) throws IOException {
        boolean isReference = cursor.isReference();
        int at = isReference ? large.find(cursor, records, wantedBytes) : cursor.payloadAt();
        return sink.batch(
                cursor.baseOffset(),
                cursor.recordCount(),
                timestampBase + cursor.timestampDelta(),
                isReference ? large.bytes() : records,
                at,
                cursor.payloadLength());
    }

    private boolean handOnHuge(BatchSink sink) throws IOException {
        long lsn = cursor.referenceLsn();
        int length = cursor.payloadLength();
        int crc = cursor.referenceCrc();
        return sink.huge(
                cursor.baseOffset(),
                cursor.recordCount(),
                timestampBase + cursor.timestampDelta(),
                new BatchSink.HugeBatch() {
                    @Override
                    public int length() {
                        return length;
                    }

                    @Override
                    public void read(ByteBuffer target) throws IOException {
                        huge.read(lsn, length, crc, target);
                    }
                });
    }
}

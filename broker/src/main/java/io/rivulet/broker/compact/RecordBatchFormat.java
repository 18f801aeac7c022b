package io.rivulet.broker.compact;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.RecordView;
import io.rivulet.protocol.record.SlimBatch;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.store.BatchFormat;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Record batches (version 2, and slim ones) for compaction. A slim batch has one record, which is no tombstone: it is
 * kept or removed as a whole. When compaction first meets a batch with tombstones, it sets the time after which they
 * may be removed, in the base timestamp as in Kafka. A marker without records gets that time too. An abort marker gets
 * it only when fetch responses no longer list the transaction: a consumer that has the transaction in the list and
 * misses the marker would skip later records of the producer. A reduced batch keeps its codec. A huge batch is reduced
 * when at most 2 MiB of records remain.
 *
 * <p>Memory: the records of one batch. Owned by: the store's background thread, except {@link #compactableBefore}.
 */
public final class RecordBatchFormat implements BatchFormat, AutoCloseable {
    private final DecidedTransactions transactions;
    private final int maxDecompressedBytes;
    private final int maxBatchBytes;
    private final RecordBatch header = new RecordBatch();
    private final RecordCursor cursor = new RecordCursor();
    private final SlimBatch slim = new SlimBatch();
    private final KeyFingerprint hash = KeyFingerprint.ofRandomSecret();
    private ByteBuf reduced = Unpooled.EMPTY_BUFFER;

    /**
     * @param maxBatchBytes the largest size of a reduced batch
     */
    public RecordBatchFormat(DecidedTransactions transactions, int maxDecompressedBytes, int maxBatchBytes) {
        this.transactions = transactions;
        this.maxDecompressedBytes = maxDecompressedBytes;
        this.maxBatchBytes = maxBatchBytes;
    }

    private RecordBatch header(ByteBuffer batch) {
        return header.wrap(Unpooled.wrappedBuffer(batch), 0, batch.remaining());
    }

    private static boolean isSlim(ByteBuffer batch) {
        return SlimBatch.isSlim(batch.get(batch.position()));
    }

    private SlimBatch slim(ByteBuffer batch) {
        return slim.wrap(batch, batch.position());
    }

    @Override
    public Kind kind(ByteBuffer batch) {
        if (isSlim(batch)) {
            return Kind.RECORDS;
        }
        RecordBatch found = header(batch);
        if (!found.isControl()) {
            return found.isTransactional() ? Kind.TRANSACTION_RECORDS : Kind.RECORDS;
        }
        cursor.begin(found, maxDecompressedBytes);
        ControlMarker marker = cursor.next() ? ControlMarker.of(cursor.record()) : null;
        cursor.end();
        if (marker == null) {
            return Kind.OTHER;
        }
        return marker == ControlMarker.COMMIT ? Kind.COMMIT : Kind.ABORT;
    }

    @Override
    public long producerId(ByteBuffer batch) {
        return isSlim(batch) ? slim(batch).producerId() : header(batch).producerId();
    }

    @Override
    public int maxReadBytes() {
        return maxDecompressedBytes;
    }

    @Override
    public void forEachKey(ByteBuffer batch, KeyVisitor visitor) {
        if (isSlim(batch)) {
            visitKey(batch, visitor);
            return;
        }
        RecordBatch all = header(batch);
        int last = -1;
        cursor.begin(all, maxDecompressedBytes);
        while (cursor.next()) {
            RecordView record = cursor.record();
            last = requireOrder(all, last, record.offsetDelta());
            if (record.hasKey()) {
                hash.of(record.buffer(), record.keyIndex(), record.keyLength());
                visitor.key(record.offsetDelta(), hash.first(), hash.second());
            }
        }
    }

    private void visitKey(ByteBuffer batch, KeyVisitor visitor) {
        int length = slim(batch).keyLength();
        if (length != RecordView.NULL_LENGTH) {
            hash.of(Unpooled.wrappedBuffer(batch), slim.keyAt() - batch.position(), length);
            visitor.key(0, hash.first(), hash.second());
        }
    }

    private static int requireOrder(RecordBatch batch, int last, int delta) {
        if (delta <= last || delta > batch.lastOffsetDelta()) {
            throw new IllegalStateException("offset delta " + delta + " follows " + last + " in a batch whose last is "
                    + batch.lastOffsetDelta());
        }
        return delta;
    }

    @Override
    public @Nullable ByteBuffer reduce(ByteBuffer batch, Choice choice, long nowMillis, long deleteRetentionMillis) {
        if (isSlim(batch)) {
            return slim(batch).keyLength() != RecordView.NULL_LENGTH && choice.keeps(0) ? batch : null;
        }
        RecordBatch all = header(batch);
        boolean dropsTombstones = all.hasDeleteHorizon() && nowMillis > all.baseTimestamp();
        int kept = 0;
        long keptBytes = 0;
        boolean tombstones = false;
        cursor.begin(all, maxDecompressedBytes);
        while (cursor.next()) {
            RecordView record = cursor.record();
            if (stays(record, choice, dropsTombstones)) {
                kept++;
                keptBytes += Math.max(0, record.keyLength()) + (long) Math.max(0, record.valueLength());
                tombstones |= !record.hasValue();
            }
        }
        boolean newHorizon = tombstones && !all.hasDeleteHorizon();
        if (kept == 0) {
            return null;
        }
        boolean isHuge = all.sizeInBytes() > maxBatchBytes;
        if ((isHuge && keptBytes > maxBatchBytes / 2) || (kept == all.recordCount() && !newHorizon)) {
            return batch;
        }
        long horizon = newHorizon ? horizon(nowMillis, deleteRetentionMillis) : all.baseTimestamp();
        ByteBuffer built = build(all, choice, dropsTombstones, horizon, tombstones);
        if (built.remaining() <= maxBatchBytes) {
            return built;
        } else if (isHuge) {
            return batch;
        }
        throw new IllegalStateException("a reduced batch would have " + built.remaining() + " bytes");
    }

    private static long horizon(long nowMillis, long deleteRetentionMillis) {
        return nowMillis > Long.MAX_VALUE - deleteRetentionMillis ? Long.MAX_VALUE : nowMillis + deleteRetentionMillis;
    }

    @Override
    public @Nullable ByteBuffer reduceMarker(
            int queueId, long offset, ByteBuffer batch, long nowMillis, long deleteRetentionMillis) {
        if (transactions.isListedAsAborted(queueId, offset)) {
            return batch;
        }
        RecordBatch marker = header(batch);
        if (!marker.hasDeleteHorizon()) {
            return build(marker, delta -> true, false, horizon(nowMillis, deleteRetentionMillis), true);
        }
        return nowMillis > marker.baseTimestamp() ? null : batch;
    }

    @Override
    public boolean listsAborted(int queueId) {
        return transactions.listsAborted(queueId);
    }

    @Override
    public boolean listsTooManyAborted(int queueId) {
        return transactions.listsTooManyAborted(queueId);
    }

    @Override
    public void abortedRecordsRemoved(int queueId, long beforeOffset) {
        transactions.abortedRecordsRemoved(queueId, beforeOffset);
    }

    private static boolean stays(RecordView record, Choice choice, boolean dropsTombstones) {
        return record.hasKey() && choice.keeps(record.offsetDelta()) && (record.hasValue() || !dropsTombstones);
    }

    private ByteBuffer build(
            RecordBatch all, Choice choice, boolean dropsTombstones, long horizonMillis, boolean hasHorizon) {
        Codec codec = Objects.requireNonNull(all.codec());
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.like(all).compression(codec);
            if (hasHorizon) {
                builder.deleteHorizon(horizonMillis);
            }
            cursor.begin(all, maxDecompressedBytes);
            while (cursor.next()) {
                if (stays(cursor.record(), choice, dropsTombstones)) {
                    builder.append(cursor.record());
                }
            }
            builder.lastOffsetDelta(all.lastOffsetDelta());
            reduced.release();
            reduced = builder.build();
        }
        return reduced.nioBuffer();
    }

    @Override
    public long maxTimestamp(ByteBuffer batch) {
        if (isSlim(batch)) {
            throw new IllegalStateException("a slim batch is never reduced and has no timestamp");
        }
        return header(batch).maxTimestamp();
    }

    @Override
    public long compactableBefore(int queueId) {
        return transactions.firstOpenOffset(queueId);
    }

    @Override
    public void close() {
        cursor.close();
        reduced.release();
        reduced = Unpooled.EMPTY_BUFFER;
    }
}

package io.rivulet.broker.share;

import io.netty.buffer.ByteBuf;
import io.rivulet.broker.fetch.FetchBuffer;
import io.rivulet.broker.fetch.ProducersOf;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one read: which of them have records to deliver. Markers have none, and with read_committed neither
 * have batches of aborted transactions.
 *
 * <p>Owned by: the fetch.
 */
final class ReadBatches implements FetchBuffer.Source {
    private static final long NONE = -1;

    private final Observer observer = new Observer();
    private Spans spans = new Spans();
    private FetchBuffer.@Nullable Source source;
    private long firstOffset = NONE;

    /** Batches of one record, side by side. A read joins them, so that a client gets fewer batches than there were. */
    private final Spans singles = new Spans();

    /** @param into where {@link #find} adds the batches */
    void begin(FetchBuffer.Source of, Spans into) {
        source = of;
        spans = into;
        firstOffset = NONE;
        spans.clear();
        singles.clear();
    }

    @Override
    public ReadStatus read(int queueId, long offset, int maxBytes, BatchSink sink) throws IOException {
        FetchBuffer.Source from = source;
        if (from == null) {
            throw new IllegalStateException("no read has begun");
        }
        observer.sink = sink;
        return from.read(queueId, offset, maxBytes, observer);
    }

    /** Where the first batch begins, whether it was taken or not; -1 if there is none. */
    long firstOffset() {
        return firstOffset;
    }

    /**
     * @param stable null if aborted transactions are delivered too
     * @param batchRecords joined batches are cut after so many records
     */
    void find(Records read, @Nullable StableOffsets stable, Claim claim, long nextOffset, int batchRecords) {
        List<AbortedTransaction> aborted = stable == null
                ? List.of()
                : stable.aborted(claim.queueId(), claim.from(), nextOffset, new ProducersOf(read));
        ByteBuf buffer = read.buffer();
        int end = read.index() + read.sizeInBytes();
        AbortedBatches abortedBatches = aborted.isEmpty() ? null : new AbortedBatches(aborted);
        int single = 0;
        for (int at = read.index(); at < end; at += lengthOf(buffer, at)) {
            long base = buffer.getLong(at + RecordBatchLayout.BASE_OFFSET);
            int attributes = buffer.getShort(at + RecordBatchLayout.ATTRIBUTES);
            boolean isMarker = (attributes & RecordBatchLayout.CONTROL_BIT) != 0;
            boolean isTransactional = (attributes & RecordBatchLayout.TRANSACTIONAL_BIT) != 0;
            long producerId = buffer.getLong(at + RecordBatchLayout.PRODUCER_ID);
            boolean isAborted =
                    isTransactional && abortedBatches != null && abortedBatches.has(producerId, base, isMarker);
            if (!isMarker && !isAborted) {
                long last = base + buffer.getInt(at + RecordBatchLayout.LAST_OFFSET_DELTA);
                while (single < singles.size() && singles.last(single) < base) {
                    single++;
                }
                boolean isJoined = single < singles.size() && singles.first(single) <= base;
                addSpans(base, last, isJoined ? batchRecords : Integer.MAX_VALUE);
            }
        }
    }

    private void addSpans(long first, long last, int most) {
        for (long from = first; from <= last; from += most) {
            spans.add(from, Math.min(last, from + most - 1));
        }
    }

    private static int lengthOf(ByteBuf buffer, int at) {
        return RecordBatchLayout.LENGTH_OVERHEAD_BYTES + buffer.getInt(at + RecordBatchLayout.LENGTH);
    }

    /** Which batches belong to aborted transactions, asked in the order of offsets, as consumers do. */
    private static final class AbortedBatches {
        private final List<AbortedTransaction> aborted;
        private final Set<Long> open = new HashSet<>(0);
        private int next;

        AbortedBatches(List<AbortedTransaction> aborted) {
            this.aborted = aborted.stream()
                    .sorted(Comparator.comparingLong(AbortedTransaction::firstOffset))
                    .toList();
        }

        boolean has(long producerId, long base, boolean isMarker) {
            while (next < aborted.size() && aborted.get(next).firstOffset() <= base) {
                open.add(aborted.get(next++).producerId());
            }
            return isMarker ? open.remove(producerId) : open.contains(producerId);
        }
    }

    /** Sees where the first batch begins. */
    private final class Observer implements BatchSink {
        private @Nullable BatchSink sink;

        private BatchSink sink() {
            return Objects.requireNonNull(sink);
        }

        private void seen(long baseOffset, int count) {
            if (firstOffset == NONE) {
                firstOffset = baseOffset;
            }
            if (count == 1) {
                singles.extend(baseOffset, baseOffset);
            }
        }

        @Override
        public boolean batch(long baseOffset, int count, long maxTimestamp, ByteBuffer bytes, int at, int length) {
            seen(baseOffset, count);
            return sink().batch(baseOffset, count, maxTimestamp, bytes, at, length);
        }

        @Override
        public boolean huge(long baseOffset, int count, long maxTimestamp, HugeBatch batch) throws IOException {
            seen(baseOffset, count);
            return sink().huge(baseOffset, count, maxTimestamp, batch);
        }
    }
}

package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one answer, copied into a few direct buffers, one queue after the other, and stamped with what the store keeps
 * beside them: base offset, leader epoch. A million queues with a batch each share buffers; those of one queue are in one piece.
 *
 * <p>Owned by: the fetch. Buffers are its until {@link #take} or {@link #release}.
 */
final class FetchBuffer implements BatchSink {
    /** How a queue is read: from wherever its records are, or only from where nothing has to be waited for. */
    @FunctionalInterface
    interface Source {
        ReadStatus read(int queueId, long offset, int maxBytes, BatchSink sink) throws IOException;

        static Source all(StoreReader reader) {
            return reader::read;
        }

        static Source tail(StoreReader reader) {
            return reader::readTail;
        }
    }

    private static final int SMALLEST_BYTES = 16 << 10;
    private static final int LARGEST_BYTES = 1 << 20;

    private final ByteBufAllocator allocator;
    private final int leaderEpoch;
    private final RecordBatch header = new RecordBatch();

    private List<ByteBuf> buffers = new ArrayList<>(1);
    private @Nullable ByteBuf target;
    private int nextCapacity = SMALLEST_BYTES;
    /** Where the queue's batches begin in the target. */
    private int start;

    private int total;

    private long nextOffset;
    private long untilOffset;
    private int limitBytes;
    private boolean firstMayExceed;
    private boolean full;

    FetchBuffer(ByteBufAllocator allocator, int leaderEpoch) {
        this.allocator = allocator;
        this.leaderEpoch = leaderEpoch;
    }

    /**
     * Reads from the offset on until the queue's end, the source's end or the limit. What was copied, {@link #records} tells.
     *
     * @param untilOffset where a batch begins that must not be read any more
     * @param anyFirst whether the first batch is taken whatever its size, so that a consumer gets past it
     * @return how it began; a failure further on ends the read, and shows up the next time
     */
    ReadStatus read(Source source, int queueId, long offset, long untilOffset, int limit, boolean anyFirst)
            throws IOException {
        this.untilOffset = untilOffset;
        ByteBuf current = target;
        start = current == null ? 0 : current.writerIndex();
        nextOffset = offset;
        limitBytes = limit;
        firstMayExceed = anyFirst;
        full = limit <= 0 && !anyFirst;
        // Also when nothing fits: the offset is to be checked all the same.
        ReadStatus first = source.read(queueId, offset, Math.max(limit, 1), this);
        ReadStatus status = first;
        while (status == ReadStatus.BATCHES && !full) {
            try {
                status = source.read(queueId, nextOffset, Math.max(1, limitBytes - copiedBytes()), this);
            } catch (IOException e) {
                return first; // the next read begins there, and throws
            }
        }
        return first;
    }

    @Override
    public boolean batch(long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes, int at, int length) {
        int copied = copiedBytes();
        if (full
                || baseOffset >= untilOffset
                || (copied + (long) length > limitBytes && !(copied == 0 && firstMayExceed))) {
            full = true;
            return false;
        }
        ByteBuf buffer = roomFor(length);
        int from = buffer.writerIndex();
        buffer.writeBytes(bytes.slice(at, length));
        header.wrap(buffer, from, length);
        header.stampBaseOffset(baseOffset);
        header.stampPartitionLeaderEpoch(leaderEpoch);
        nextOffset = baseOffset + recordCount;
        full = copied + length >= limitBytes;
        return !full;
    }

    /** The target with so much room in it; or a larger one, to which what the queue has so far moves. */
    private ByteBuf roomFor(int length) {
        ByteBuf before = target;
        if (before != null && before.writableBytes() >= length) {
            return before;
        }
        int copied = copiedBytes();
        // Geometric growth keeps the moving cheap; a queue's limit is the most that it can need.
        int wanted = Math.max(nextCapacity, 2 * copied);
        int capacity = Math.max(copied + length, Math.min(wanted, Math.max(limitBytes, SMALLEST_BYTES)));
        ByteBuf larger = allocator.directBuffer(capacity);
        nextCapacity = Math.min(LARGEST_BYTES, 4 * nextCapacity);
        if (before != null) {
            larger.writeBytes(before, start, copied);
            before.writerIndex(start);
        }
        buffers.add(larger);
        target = larger;
        start = 0;
        return larger;
    }

    private int copiedBytes() {
        return target == null ? 0 : target.writerIndex() - start;
    }

    /** What the last read has copied; null if nothing. Valid until the buffers are released. */
    @Nullable
    Records records() {
        ByteBuf buffer = target;
        int copied = copiedBytes();
        if (buffer == null || copied == 0) {
            return null;
        }
        total += copied;
        return new Records(buffer, start, copied);
    }

    /** Forgets what a read that failed has copied. */
    void undo() {
        ByteBuf buffer = target;
        if (buffer != null) {
            buffer.writerIndex(start);
        }
    }

    /** Bytes of all that {@link #records} has told. */
    int total() {
        return total;
    }

    /** All buffers, from here on the caller's; this is as new afterwards. */
    List<ByteBuf> take() {
        List<ByteBuf> taken = buffers;
        header.unwrap();
        buffers = new ArrayList<>(1);
        target = null;
        start = 0;
        total = 0;
        nextCapacity = SMALLEST_BYTES;
        return taken;
    }

    void release() {
        take().forEach(ByteBuf::release);
    }
}

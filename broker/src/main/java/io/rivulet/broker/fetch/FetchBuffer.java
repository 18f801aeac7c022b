package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rivulet.protocol.record.DenseBatch;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.SlimBatch;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one answer, copied into a few direct buffers, one queue after the other. They are stamped with the
 * fields that the store keeps apart from them: base offset and leader epoch. Slim batches become dense ones. Queues
 * share buffers, but the batches of one queue are in one piece.
 *
 * <p>Owned by: the fetch. It owns the buffers until {@link #take} or {@link #release}.
 */
public final class FetchBuffer implements BatchSink {
    /** How a queue is read: all records, or only those in the tail, which never waits for the disk. */
    @FunctionalInterface
    public interface Source {
        ReadStatus read(int queueId, long offset, int maxBytes, BatchSink sink) throws IOException;
    }

    private static final int SMALLEST_BYTES = 16 << 10;
    private static final int LARGEST_BYTES = 1 << 20;
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private final ByteBufAllocator allocator;
    private final int leaderEpoch;
    private final SlimBatch slim = new SlimBatch();
    private final DenseBatch dense = new DenseBatch();
    /** Where the open dense batch begins, behind the queue's start. */
    private int denseFrom;

    private List<ByteBuf> buffers = new ArrayList<>(1);
    private @Nullable ByteBuf target;
    /** A view of the whole target, with the same indexes. */
    private ByteBuffer view = NO_BYTES;

    private int nextCapacity = SMALLEST_BYTES;
    /** Where the batches of the queue begin in the target. */
    private int start;

    private int total;

    private long nextOffset;
    private long untilOffset;
    private int limitBytes;
    private boolean firstMayExceed;
    private boolean full;
    /** The memory for a huge batch that exceeds the limit. */
    private int hugeBytes;

    private int missingBytes;

    public FetchBuffer(ByteBufAllocator allocator, int leaderEpoch) {
        this.allocator = allocator;
        this.leaderEpoch = leaderEpoch;
    }

    /**
     * Reads from the offset to the end of the queue, the end of the source, or the limit. {@link #records} returns the
     * copied batches.
     *
     * @param untilOffset reads no batch that begins here or later
     * @param anyFirst whether to take the first batch whatever its size, so that a consumer gets past it
     * @return the status of the first batch; a later failure ends the read, and the next read throws it
     */
    public ReadStatus read(Source source, int queueId, long offset, long untilOffset, int limit, boolean anyFirst)
            throws IOException {
        this.untilOffset = untilOffset;
        ByteBuf current = target;
        start = current == null ? 0 : current.writerIndex();
        nextOffset = offset;
        limitBytes = limit;
        firstMayExceed = anyFirst;
        full = limit <= 0 && !anyFirst;
        dense.forget();
        ReadStatus first = copy(source, queueId, offset);
        closeDense();
        return first;
    }

    private ReadStatus copy(Source source, int queueId, long offset) throws IOException {
        // Also if nothing fits, because the offset must be checked.
        ReadStatus first = source.read(queueId, offset, Math.max(limitBytes, 1), this);
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
        if (full || baseOffset >= untilOffset) {
            full = true;
            return false;
        }
        boolean fits = SlimBatch.isSlim(bytes.get(at))
                ? takeSlim(baseOffset, maxTimestamp, bytes, at, length)
                : takeAsSent(baseOffset, bytes, at, length);
        if (fits) {
            nextOffset = baseOffset + recordCount;
        }
        full = !fits || copiedBytes() >= limitBytes || nextOffset >= untilOffset;
        return !full;
    }

    private boolean takeAsSent(long baseOffset, ByteBuffer bytes, int at, int length) {
        if (!fits(length)) {
            return false;
        }
        closeDense();
        ByteBuf buffer = roomFor(length);
        view.put(buffer.writerIndex(), bytes, at, length);
        stamp(buffer, baseOffset, length);
        return true;
    }

    private void stamp(ByteBuf buffer, long baseOffset, int length) {
        int from = buffer.writerIndex();
        view.putLong(from + RecordBatchLayout.BASE_OFFSET, baseOffset);
        view.putInt(from + RecordBatchLayout.PARTITION_LEADER_EPOCH, leaderEpoch);
        buffer.writerIndex(from + length);
    }

    /** Reads the file straight into the answer. */
    @Override
    public boolean huge(long baseOffset, int recordCount, long maxTimestamp, HugeBatch batch) throws IOException {
        int length = batch.length();
        if (full || baseOffset >= untilOffset || !fits(length) || !hasMemoryFor(length)) {
            full = true;
            return false;
        }
        closeDense();
        ByteBuf buffer = roomFor(length);
        batch.read(view.slice(buffer.writerIndex(), length));
        stamp(buffer, baseOffset, length);
        nextOffset = baseOffset + recordCount;
        full = copiedBytes() >= limitBytes || nextOffset >= untilOffset;
        return !full;
    }

    private boolean hasMemoryFor(int length) {
        boolean has = length <= Math.max(limitBytes, hugeBytes);
        missingBytes = has ? 0 : length;
        return has;
    }

    /** From now on a huge batch of this size may exceed the limit, if it is the first batch. */
    public void allowHuge(int bytes) {
        hugeBytes = bytes;
    }

    /** The size of the huge batch that ended the last read, because there was no memory for it; or 0. */
    public int missingBytes() {
        return missingBytes;
    }

    private boolean takeSlim(long offset, long timestamp, ByteBuffer bytes, int at, int length) {
        int bodyAt = slim.wrap(bytes, at).bodyAt();
        int bodyLength = at + length - bodyAt;
        boolean joins = dense.takes(offset);
        int needed = joins ? dense.bytesOfNext(timestamp, bodyLength) : DenseBatch.bytesOfFirst(bodyLength);
        if (!fits(needed)) {
            return false;
        }
        if (!joins) {
            closeDense();
            denseFrom = copiedBytes();
            dense.begin(offset, timestamp);
        }
        ByteBuf buffer = roomFor(needed);
        dense.append(view, start + denseFrom, timestamp, bytes, bodyAt, bodyLength);
        buffer.writerIndex(start + denseFrom + dense.sizeInBytes());
        return true;
    }

    private boolean fits(int more) {
        int copied = copiedBytes();
        return copied + (long) more <= limitBytes || (copied == 0 && firstMayExceed);
    }

    private void closeDense() {
        if (dense.isOpen()) {
            dense.close(view, start + denseFrom, leaderEpoch);
        }
    }

    /** The target if it has so much room; otherwise a larger one, with the bytes of the queue so far. */
    private ByteBuf roomFor(int length) {
        ByteBuf before = target;
        if (before != null && before.writableBytes() >= length) {
            return before;
        }
        int copied = copiedBytes();
        // Geometric growth keeps copies cheap. A queue never needs more than its limit.
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
        view = larger.nioBuffer(0, larger.capacity()).slice();
        start = 0;
        return larger;
    }

    private int copiedBytes() {
        return target == null ? 0 : target.writerIndex() - start;
    }

    /** The batches that the last read has copied; null if none. Valid until the buffers are released. */
    public @Nullable Records records() {
        ByteBuf buffer = target;
        int copied = copiedBytes();
        return buffer == null || copied == 0 ? null : new Records(buffer, start, copied);
    }

    /** Keeps the batches that the last read has copied. */
    public void keep() {
        total += copiedBytes();
    }

    /** The offset behind the last copied batch. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Drops the batches of a read that failed. */
    public void undo() {
        dense.forget();
        ByteBuf buffer = target;
        if (buffer != null) {
            buffer.writerIndex(start);
        }
    }

    /** The size of all batches that were kept. */
    public int total() {
        return total;
    }

    /** Passes all buffers to the caller, and resets this object. */
    public List<ByteBuf> take() {
        List<ByteBuf> taken = buffers;
        dense.forget();
        view = NO_BYTES;
        buffers = new ArrayList<>(1);
        target = null;
        start = 0;
        total = 0;
        nextCapacity = SMALLEST_BYTES;
        return taken;
    }

    public void release() {
        take().forEach(ByteBuf::release);
    }
}

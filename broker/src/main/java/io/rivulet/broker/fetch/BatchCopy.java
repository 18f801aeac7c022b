package io.rivulet.broker.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies batches of one queue into a buffer, and stamps them with what the store keeps beside them: base offset, leader epoch.
 *
 * <p>Owned by: the thread that reads.
 */
public final class BatchCopy implements BatchSink {
    private static final int SMALL_BYTES = 16 << 10;
    private static final int LARGE_BYTES = 256 << 10;

    private final ByteBufAllocator allocator;
    private final int leaderEpoch;
    private final RecordBatch header = new RecordBatch();

    private @Nullable ByteBuf target;
    private long nextOffset;
    private int limitBytes;
    private boolean firstMayExceed;
    private boolean full;

    public BatchCopy(ByteBufAllocator allocator, int leaderEpoch) {
        this.allocator = allocator;
        this.leaderEpoch = leaderEpoch;
    }

    /**
     * Reads from the offset on until the queue's end or the limit.
     *
     * @param firstMayExceed whether the first batch is taken whatever its size, so that a consumer gets past it
     * @return how it went; whether anything was copied, {@link #take} tells
     */
    public ReadStatus read(StoreReader reader, int queueId, long offset, int limit, boolean firstMayExceed)
            throws IOException {
        this.target = null;
        this.nextOffset = offset;
        this.limitBytes = limit;
        this.firstMayExceed = firstMayExceed;
        this.full = limit <= 0 && !firstMayExceed;
        try {
            // Also when nothing fits: the offset is to be checked all the same.
            ReadStatus first = reader.read(queueId, offset, Math.max(limit, 1), this);
            ReadStatus status = first;
            while (status == ReadStatus.BATCHES && !full) {
                status = reader.read(queueId, nextOffset, Math.max(1, limitBytes - copiedBytes()), this);
            }
            return first;
        } catch (IOException | RuntimeException e) {
            release();
            throw e;
        }
    }

    @Override
    public boolean batch(long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes, int at, int length) {
        boolean first = copiedBytes() == 0;
        if (full || (copiedBytes() + (long) length > limitBytes && !(first && firstMayExceed))) {
            full = true;
            return false;
        }
        ByteBuf buffer = target(length);
        int start = buffer.writerIndex();
        buffer.writeBytes(bytes.slice(at, length));
        header.wrap(buffer, start, length);
        header.stampBaseOffset(baseOffset);
        header.stampPartitionLeaderEpoch(leaderEpoch);
        nextOffset = baseOffset + recordCount;
        full = buffer.readableBytes() >= limitBytes;
        return !full;
    }

    private ByteBuf target(int length) {
        ByteBuf buffer = target;
        if (buffer == null) {
            int roomy = length > SMALL_BYTES / 2 ? LARGE_BYTES : SMALL_BYTES;
            buffer = allocator.directBuffer(Math.max(length, Math.min(roomy, limitBytes)));
            target = buffer;
        }
        return buffer;
    }

    private int copiedBytes() {
        return target == null ? 0 : target.readableBytes();
    }

    /** What was copied, now the caller's; null if nothing. */
    public @Nullable ByteBuf take() {
        header.unwrap();
        ByteBuf taken = target;
        target = null;
        return taken;
    }

    private void release() {
        ByteBuf taken = take();
        if (taken != null) {
            taken.release();
        }
    }
}

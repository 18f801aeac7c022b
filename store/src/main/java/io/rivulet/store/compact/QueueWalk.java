package io.rivulet.store.compact;

import io.rivulet.store.BatchGate;
import io.rivulet.store.block.read.BlockSnapshot;
import io.rivulet.store.block.read.BlockSnapshot.Placed;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.stream.StreamCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Iterates over the batches of some blocks of a queue and reads large ones from the log, and huge ones from their
 * files. Reused for one queue after the
 * other.
 *
 * <p>Memory: a block, and a batch. Owned by: background thread.
 */
final class QueueWalk {
    private static final int BLOCK_BYTES = 128 << 10;

    private final LogPayloads log;
    private final HugeBatches huge;
    private final ByteBuffer head = ByteBuffer.allocate(BatchGate.HUGE_HEAD_BYTES);
    private final StreamCursor cursor = new StreamCursor();
    private final CRC32C crc = new CRC32C();
    private ByteBuffer stream = ByteBuffer.allocate(BLOCK_BYTES);
    private ByteBuffer large = ByteBuffer.allocate(0);
    private final BlockSnapshot files;
    private List<Placed> blocks = List.of();
    private int nextBlock;
    private int endBlock;
    private long workedBytes;

    QueueWalk(BlockSnapshot files, LogPayloads log, HugeBatches huge) {
        this.files = files;
        this.log = log;
        this.huge = huge;
    }

    /** Starts before the block with this index and ends before {@code endBlock}. */
    void begin(List<Placed> ofQueue, int firstBlock, int end) {
        blocks = ofQueue;
        nextBlock = firstBlock;
        endBlock = end;
        cursor.reset(stream, 0, 0, 0);
    }

    /** Moves to the next batch or hole; false at the end. */
    boolean next() throws IOException {
        while (!cursor.next()) {
            if (!cursor.isSound()) {
                throw new IllegalStateException("the records of " + blocks.get(nextBlock - 1) + " don't add up");
            }
            if (nextBlock == endBlock) {
                return false;
            }
            Placed placed = blocks.get(nextBlock++);
            stream = roomFor(stream, placed.block().streamBytes());
            files.read(placed, stream);
            workedBytes += placed.block().streamBytes();
            cursor.reset(stream, 0, stream.position(), placed.block().baseOffset());
        }
        return true;
    }

    /** Where the walk stands. */
    StreamCursor at() {
        return cursor;
    }

    /** Whether the current block is before the one with this index. */
    boolean isBefore(int block) {
        return nextBlock <= block;
    }

    /** The batch, good until {@link #next}. */
    ByteBuffer batch() throws IOException {
        if (!cursor.isReference()) {
            return stream.slice(cursor.payloadAt(), cursor.payloadLength());
        }
        int length = cursor.payloadLength();
        large = roomFor(large, length).limit(length);
        if (cursor.isHuge()) {
            huge.read(cursor.referenceLsn(), length, cursor.referenceCrc(), large);
            workedBytes += length;
            return large.flip();
        }
        log.read(cursor.referenceLsn(), cursor.referenceGroupOffset(), length, large);
        large.flip();
        workedBytes += length;
        crc.reset();
        crc.update(large.duplicate());
        if ((int) crc.getValue() != cursor.referenceCrc()) {
            throw new IOException("the log's group " + cursor.referenceLsn() + " at " + cursor.referenceGroupOffset()
                    + " is not what is referred to at offset " + cursor.baseOffset());
        }
        return large;
    }

    /** The first bytes of a huge batch, good until {@link #next}. */
    ByteBuffer head() throws IOException {
        huge.readHead(cursor.referenceLsn(), head.clear());
        return head.flip();
    }

    /** The record of the batch. */
    ByteBuffer record() {
        return stream.slice(cursor.recordAt(), cursor.recordBytes());
    }

    private static ByteBuffer roomFor(ByteBuffer buffer, int bytes) {
        return buffer.capacity() < bytes ? ByteBuffer.allocate(bytes) : buffer.clear();
    }

    /** Bytes read so far. */
    long workedBytes() {
        return workedBytes;
    }
}

package io.rivulet.store.block.merge;

import static io.rivulet.store.block.format.BlockFileLayout.BLOCK_HEADER_BYTES;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockReadException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one cycle, in order, each verified. A cycle is a row of files with ascending queues. Reads in long
 * pieces, without the cache and without the directory: the header of a block describes it.
 *
 * <p>Memory: its buffer, and up to 4 MiB more for a block that is longer than the buffer. Owned by: background thread.
 */
final class MergeInput implements AutoCloseable {
    private final Deque<BlockFile> rest;
    private final int firstQueueId;
    private final ByteBuffer buffer;
    private ByteBuffer stream;
    private @Nullable BlockFile file;
    private long bufferAddress;
    private long nextAddress;
    private @Nullable BlockEntry block;
    private long readBytes;

    /** @param files of one cycle, acquired; each is released after it has been read, so that it can be deleted */
    MergeInput(Collection<BlockFile> files, int firstQueueId, ByteBuffer buffer) {
        this.rest = new ArrayDeque<>(files.stream()
                .sorted(Comparator.comparingLong(BlockFile::fileNumber))
                .toList());
        this.firstQueueId = firstQueueId;
        this.buffer = buffer;
        this.stream = buffer;
    }

    /** Moves to the next block; false at the end. */
    boolean advance() throws IOException {
        BlockFile current = file;
        while (current == null || nextAddress == current.footer().blocksEnd()) {
            current = openNext();
            if (current == null) {
                return false;
            }
        }
        readBlock(current);
        return true;
    }

    private @Nullable BlockFile openNext() throws IOException {
        releaseCurrent();
        file = rest.poll();
        if (file != null) {
            BlockEntry first = file.firstFrom(firstQueueId);
            nextAddress = first == null ? file.footer().blocksEnd() : first.startAddress();
            bufferAddress = nextAddress;
            buffer.clear().limit(0);
        }
        return file;
    }

    private void releaseCurrent() {
        if (file != null) {
            file.release();
            file = null;
        }
    }

    /** Releases the files that have not been read to their end. */
    @Override
    public void close() {
        releaseCurrent();
        rest.forEach(BlockFile::release);
        rest.clear();
    }

    private void readBlock(BlockFile current) throws IOException {
        long address = nextAddress;
        long end = current.footer().blocksEnd();
        int streamBytes = 0;
        if (end - address > BLOCK_HEADER_BYTES) {
            int at = fill(current, address, BLOCK_HEADER_BYTES);
            streamBytes = BlockFileLayout.streamBytes(buffer, at);
        }
        if (streamBytes == 0 || streamBytes > end - address - BLOCK_HEADER_BYTES) {
            throw BlockReadException.corrupt(current.name(), address, "length of a block");
        }
        takeBlock(current, address, BLOCK_HEADER_BYTES + streamBytes);
        nextAddress =
                BlockFileLayout.roundUp(address + BLOCK_HEADER_BYTES + streamBytes, BlockFileLayout.PLACE_UNIT_BYTES);
    }

    private void takeBlock(BlockFile current, long address, int blockBytes) throws IOException {
        ByteBuffer bytes;
        if (blockBytes <= buffer.capacity()) {
            int at = fill(current, address, blockBytes);
            bytes = buffer.slice(at, blockBytes);
        } else {
            bytes = ByteBuffer.allocate(blockBytes);
            current.read(address, bytes);
            readBytes += blockBytes;
        }
        block = BlockFileLayout.blockEntry(bytes, address);
        if (!BlockFileLayout.isBlockIntact(bytes)) {
            throw BlockReadException.corrupt(current.name(), address, "checksum of " + block);
        }
        stream = bytes.slice(BLOCK_HEADER_BYTES, blockBytes - BLOCK_HEADER_BYTES);
    }

    /** Ensures that this many bytes at the address are in the buffer, and returns their index. */
    private int fill(BlockFile current, long address, int bytes) throws IOException {
        int at = (int) (address - bufferAddress);
        if (at > buffer.limit() || buffer.limit() - at < bytes) {
            long left = current.footer().blocksEnd() - address;
            buffer.clear().limit((int) Math.min(buffer.capacity(), left));
            current.read(address, buffer);
            readBytes += buffer.limit();
            bufferAddress = address;
            return 0;
        }
        return at;
    }

    /** The footer of the file of the current block. */
    BlockFileFooter footer() {
        return Objects.requireNonNull(file, "no block").footer();
    }

    BlockEntry block() {
        return Objects.requireNonNull(block, "no block");
    }

    /** The block's stream, valid until the next {@link #advance}. */
    ByteBuffer stream() {
        return stream;
    }

    /** Bytes read so far. */
    long readBytes() {
        return readBytes;
    }
}

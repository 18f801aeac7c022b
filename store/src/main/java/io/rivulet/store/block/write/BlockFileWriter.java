package io.rivulet.store.block.write;

import static io.rivulet.store.block.format.BlockFileLayout.BLOCK_HEADER_BYTES;
import static io.rivulet.store.block.format.BlockFileLayout.MAX_BLOCK_STREAM_BYTES;
import static io.rivulet.store.block.format.BlockFileLayout.PAGE_BYTES;
import static io.rivulet.store.block.format.BlockFileLayout.PLACE_UNIT_BYTES;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.stream.StreamCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one block file from front to back: append blocks in (queueId, baseOffset) order, then {@link #finish}, or
 * {@link #abandon} after a failure.
 *
 * <p>Crash policy: the file has another name until all of it is durable. Then it is renamed and the directory is
 * synced. So a file with its final name is complete. After a crash the next start deletes the file with the other name
 * (see {@code UnknownFiles}). A write or an fsync that failed is never repeated: the file is abandoned.
 *
 * <p>Memory: that of its {@link BlockWriteBuffers}. Owned by: background thread.
 */
public final class BlockFileWriter {
    /** Dirty bytes go to the disk in portions, so that the last fsync does not stall the fsyncs of the log for long. */
    private static final long FORCE_EVERY_BYTES = 32L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(BlockFileWriter.class);

    private final Disk disk;
    private final DiskFile file;
    private final BlockFileOrigin origin;
    private final BlockFileLimits limits;
    private final ByteBuffer gathered;
    private final DirectoryBuilder directory;
    private final StreamCursor cursor = new StreamCursor();
    private final BlockStatistics facts = new BlockStatistics();
    private long writtenBytes;
    private long forcedBytes;

    private BlockFileWriter(
            Disk disk, DiskFile file, BlockFileOrigin origin, BlockFileLimits limits, BlockWriteBuffers buffers) {
        this.disk = disk;
        this.file = file;
        this.origin = origin;
        this.limits = limits;
        this.gathered = buffers.gathered().clear();
        this.directory = new DirectoryBuilder(buffers, origin.id().fileNumber());
        BlockFileLayout.putHeader(gathered, origin);
    }

    /** Begins a file. The buffers belong to the writer until it has finished or abandoned the file. */
    public static BlockFileWriter create(
            Disk disk, BlockFileOrigin origin, BlockFileLimits limits, BlockWriteBuffers buffers) throws IOException {
        // Uncached, because swept data is rarely read soon.
        DiskFile file = disk.createUncached(origin.id().unfinishedName());
        return new BlockFileWriter(disk, file, origin, limits, buffers);
    }

    /**
     * Appends the records between position and limit of {@code stream}, cut into blocks of about the target size.
     * Position and limit do not change.
     *
     * @throws IllegalArgumentException if the stream does not consist of whole records, or does not come after the last
     *     one; the file must then be abandoned
     */
    public void append(int queueId, long baseOffset, ByteBuffer stream) throws IOException {
        cursor.reset(stream, stream.position(), stream.limit(), baseOffset);
        facts.clear();
        int blockFrom = stream.position();
        long blockOffset = baseOffset;
        while (cursor.next()) {
            boolean full = cursor.nextRecordAt() - blockFrom > limits.targetBlockBytes()
                    || !facts.hasRoomFor(cursor.recordCount());
            if (full && cursor.recordAt() > blockFrom) {
                append(queueId, blockOffset, stream.slice(blockFrom, cursor.recordAt() - blockFrom), facts);
                facts.clear();
                blockFrom = cursor.recordAt();
                blockOffset = cursor.baseOffset();
            }
            facts.add(cursor);
        }
        if (!cursor.isSound() || blockFrom == stream.limit()) {
            throw new IllegalArgumentException("no whole records of queue " + queueId + " from " + baseOffset);
        }
        append(queueId, blockOffset, stream.slice(blockFrom, stream.limit() - blockFrom), facts);
    }

    /**
     * Appends one block with statistics that the caller has computed; they are not checked. Position and limit do not
     * change.
     */
    public void append(int queueId, long baseOffset, ByteBuffer stream, BlockStatistics known) throws IOException {
        int streamBytes = stream.remaining();
        if (streamBytes < 1 || streamBytes > MAX_BLOCK_STREAM_BYTES) {
            throw new IllegalArgumentException(
                    "a block of " + streamBytes + " bytes, must be 1.." + MAX_BLOCK_STREAM_BYTES);
        }
        BlockEntry entry = new BlockEntry(
                queueId, endAddress(), baseOffset, known.offsetCount(), streamBytes, known.maxTimestampDelta());
        directory.add(entry, known);
        if (BLOCK_HEADER_BYTES + streamBytes > gathered.capacity() - file.alignmentBytes()) {
            gatherPieces(entry, stream);
        } else {
            gather(entry, stream);
        }
        pad(PLACE_UNIT_BYTES);
    }

    private void gather(BlockEntry entry, ByteBuffer stream) throws IOException {
        if (gathered.remaining() < entry.blockBytes()) {
            flush();
        }
        int at = gathered.position();
        gathered.put(at + BLOCK_HEADER_BYTES, stream, stream.position(), entry.streamBytes());
        BlockFileLayout.putBlockHeader(gathered, at, entry);
        gathered.position(at + entry.blockBytes());
    }

    /** Writes a block that is longer than the buffer, in pieces. */
    private void gatherPieces(BlockEntry entry, ByteBuffer stream) throws IOException {
        if (gathered.remaining() < BLOCK_HEADER_BYTES) {
            flush();
        }
        int at = gathered.position();
        BlockFileLayout.putBlockHeader(gathered, at, entry, stream);
        gathered.position(at + BLOCK_HEADER_BYTES);
        gatherAll(stream.duplicate());
    }

    /** Where the next byte goes. */
    private long endAddress() {
        return writtenBytes + gathered.position();
    }

    private void pad(int unitBytes) throws IOException {
        long missing = BlockFileLayout.roundUp(endAddress(), unitBytes) - endAddress();
        if (gathered.remaining() < missing) {
            flush();
        }
        for (long i = 0; i < missing; i++) {
            gathered.put((byte) 0);
        }
    }

    /** Writes as much as the alignment of the file allows. The rest stays at the start of the buffer. */
    private void flush() throws IOException {
        int end = gathered.position();
        int whole = end - end % file.alignmentBytes();
        file.write(writtenBytes, gathered.position(0).limit(whole));
        gathered.clear().put(gathered.slice(whole, end - whole));
        writtenBytes += whole;
        if (writtenBytes - forcedBytes >= FORCE_EVERY_BYTES) {
            file.force();
            forcedBytes = writtenBytes;
        }
    }

    /** Writes everything, padded to the alignment of the file, and then truncates the padding. */
    private void flushToEnd() throws IOException {
        long end = endAddress();
        pad(file.alignmentBytes());
        flush();
        if (writtenBytes > end) {
            file.truncate(end);
            writtenBytes = end;
        }
    }

    private void gatherAll(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            if (!gathered.hasRemaining()) {
                flush();
            }
            int bytes = Math.min(source.remaining(), gathered.remaining());
            gathered.put(gathered.position(), source, source.position(), bytes);
            gathered.position(gathered.position() + bytes);
            source.position(source.position() + bytes);
        }
    }

    /** Whether the file has reached its size, in bytes or in directory entries. It still accepts blocks. */
    public boolean isFull() {
        return endAddress() >= limits.targetFileBytes() || directory.blockCount() >= limits.maxFileBlocks();
    }

    public boolean isEmpty() {
        return directory.blockCount() == 0;
    }

    /** Bytes of the file so far, without its directory. */
    public long bytes() {
        return endAddress();
    }

    public BlockFileOrigin origin() {
        return origin;
    }

    /** The queue of the last block. */
    public int lastQueueId() {
        return directory.maxQueueId();
    }

    /**
     * Makes the file complete and durable under its final name. It covers queues up to {@code coverTo}.
     *
     * @throws IOException then the file must be abandoned, and may exist or not after a crash
     */
    public BlockFileFooter finish(int coverTo) throws IOException {
        long blocksEnd = endAddress();
        pad(PAGE_BYTES);
        directory.sealLast();
        for (int i = 0; i < directory.pageCount(); i++) {
            gatherAll(directory.page(i));
        }
        ByteBuffer filter =
                ByteBuffer.wrap(isEmpty() ? new byte[0] : directory.filter().bytes());
        ByteBuffer fence = ByteBuffer.wrap(directory.fence());
        long checksums = BlockFileFooter.checksums(
                BlockFileLayout.crc(filter, 0, filter.limit()), BlockFileLayout.crc(fence, 0, fence.limit()));
        BlockFileFooter footer = directory.footer(origin, coverTo, blocksEnd, filter.limit(), checksums);
        gatherAll(filter);
        gatherAll(fence);
        gatherFooter(footer);
        makeDurable(footer);
        return footer;
    }

    private void gatherFooter(BlockFileFooter footer) throws IOException {
        if (gathered.remaining() < BlockFileFooter.BYTES) {
            flush();
        }
        footer.put(gathered);
    }

    private void makeDurable(BlockFileFooter footer) throws IOException {
        flushToEnd();
        if (writtenBytes != footer.totalBytes() || writtenBytes > BlockFileLayout.MAX_FILE_BYTES) {
            throw new IllegalStateException(writtenBytes + " bytes written, the footer says " + footer.totalBytes());
        }
        file.force();
        file.close();
        disk.rename(origin.id().unfinishedName(), origin.id().name());
        disk.syncDirectory();
    }

    /** Closes and deletes the incomplete file. If it can't be deleted now, the next start deletes it. */
    public void abandon() {
        abandonUnfinished();
        deleteIfThere(origin.id().name());
    }

    /** As {@link #abandon}, but keeps the file with the final name, which is another one. */
    public void abandonUnfinished() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("{} in {} can't be closed", file.name(), disk.describe(), e);
        }
        deleteIfThere(origin.id().unfinishedName());
    }

    private void deleteIfThere(String name) {
        try {
            if (disk.exists(name)) {
                disk.delete(name);
            }
        } catch (IOException e) {
            LOG.warn("{} in {} can't be deleted", name, disk.describe(), e);
        }
    }
}

package io.rivulet.store.repair;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.format.DirectoryPage;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.block.write.BlockStatistics;
import io.rivulet.store.block.write.BlockWriteBuffers;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.stream.StreamCursor;
import io.rivulet.store.stream.StreamRecord;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Copies the undamaged blocks of a damaged block file into a new file. Each block has a checksum, its queue and its
 * length, so the scan goes from block to block without a directory. After a damaged block it continues at the next
 * block in an undamaged directory page.
 *
 * <p>Owned by: one repair.
 */
public final class BlockSalvage implements Closeable {
    private static final BlockFileLimits LIMITS = new BlockFileLimits(
            BlockFileLayout.MAX_BLOCK_STREAM_BYTES, BlockFileLayout.MAX_FILE_BYTES / 2, Integer.MAX_VALUE);

    private final DiskFile file;
    private final long sizeBytes;
    private final @Nullable BlockFileFooter footer;
    private final @Nullable BlockFileOrigin origin;
    private final NavigableMap<Long, BlockEntry> directory = new TreeMap<>();
    private final StreamCursor cursor = new StreamCursor();
    private @Nullable References references;
    private Dropped dropped = (queueId, baseOffset, endOffset) -> {};

    private BlockSalvage(DiskFile file, BlockFileId id) throws IOException {
        this.file = file;
        this.sizeBytes = file.sizeBytes();
        this.footer = readFooter(id);
        this.origin = footer != null ? originOf(footer) : readOrigin(id);
        readDirectory(id.fileNumber());
    }

    /** @param name of the file, which may have been moved */
    public static BlockSalvage open(Disk disk, String name, BlockFileId id) throws IOException {
        DiskFile file = disk.open(name);
        try {
            return new BlockSalvage(file, id);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Whether it can be written again: its cycles and queues are known. A file without footer and blocks would only
     * hide older files, which may still have what it had.
     */
    public boolean isOfUse() {
        return origin != null && (footer != null || new Walk().next() != null);
    }

    private static BlockFileOrigin originOf(BlockFileFooter footer) {
        return new BlockFileOrigin(
                footer.id(), footer.level(), footer.firstCycle(), footer.lastCycle(), footer.coverFrom());
    }

    private @Nullable BlockFileFooter readFooter(BlockFileId id) {
        ByteBuffer bytes = bytes(sizeBytes - BlockFileFooter.BYTES, BlockFileFooter.BYTES);
        if (bytes == null || !BlockFileFooter.faultIn(bytes).isEmpty()) {
            return null;
        }
        BlockFileFooter read = BlockFileFooter.read(bytes);
        return read.id().equals(id) && read.totalBytes() == sizeBytes ? read : null;
    }

    private @Nullable BlockFileOrigin readOrigin(BlockFileId id) {
        ByteBuffer header = bytes(0, BlockFileLayout.HEADER_BYTES);
        return header == null ? null : BlockFileLayout.origin(header, id);
    }

    /** Reads the pages backwards from the end of the file to the first one, and skips damaged pages. */
    private void readDirectory(long fileNumber) {
        long last = sizeBytes / BlockFileLayout.PAGE_BYTES * BlockFileLayout.PAGE_BYTES;
        long first = footer == null ? BlockFileLayout.HEADER_BYTES : footer.directoryStart();
        for (long address = last; address >= first; address -= BlockFileLayout.PAGE_BYTES) {
            ByteBuffer bytes = bytes(address, BlockFileLayout.PAGE_BYTES);
            int pageIndex = bytes == null ? -1 : DirectoryPage.pageIndex(bytes);
            if (bytes == null
                    || !DirectoryPage.faultIn(bytes, fileNumber, pageIndex).isEmpty()) {
                continue;
            }
            DirectoryPage page = new DirectoryPage(bytes);
            for (int i = 0; i < page.entryCount(); i++) {
                BlockEntry entry = page.entry(i);
                directory.put(entry.startAddress(), entry);
            }
            if (pageIndex == 0) {
                return;
            }
        }
    }

    /** Null if the file ends before, or if the disk reports an error. */
    private @Nullable ByteBuffer bytes(long address, int length) {
        if (address < 0 || length < 0 || address + length > sizeBytes) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            return file.read(address, bytes) == length ? bytes.flip() : null;
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Writes a file of the same number, with all undamaged blocks and these pieces. Replaces a file of that name.
     *
     * @param pieces of queues and offsets that the file does not have, in its order
     */
    public BlockFileFooter rewrite(Disk target, List<SalvagedStream> pieces, BlockWriteBuffers buffers)
            throws IOException {
        if (origin == null) {
            throw new IllegalStateException(file.name() + " has no origin");
        }
        BlockFileWriter writer = BlockFileWriter.create(target, origin, LIMITS, buffers);
        boolean done = false;
        try {
            Iterator<SalvagedStream> left = pieces.iterator();
            SalvagedStream piece = left.hasNext() ? left.next() : null;
            Walk walk = new Walk();
            for (BlockEntry block = walk.next(); block != null; block = walk.next()) {
                while (piece != null && isBefore(piece, block)) {
                    append(writer, piece);
                    piece = left.hasNext() ? left.next() : null;
                }
                append(writer, block.queueId(), block.baseOffset(), walk.stream);
            }
            while (piece != null) {
                append(writer, piece);
                piece = left.hasNext() ? left.next() : null;
            }
            BlockFileFooter written = writer.finish(coverTo(writer, origin));
            done = true;
            return written;
        } finally {
            if (!done) {
                writer.abandonUnfinished();
            }
        }
    }

    /** Writes a new file of the sweep that has these pieces only. */
    public static BlockFileFooter write(
            Disk target, BlockFileOrigin origin, List<SalvagedStream> pieces, BlockWriteBuffers buffers)
            throws IOException {
        BlockFileWriter writer = BlockFileWriter.create(target, origin, LIMITS, buffers);
        boolean done = false;
        try {
            for (SalvagedStream piece : pieces) {
                writer.append(piece.queueId(), piece.baseOffset(), piece.stream());
            }
            BlockFileFooter written = writer.finish(Math.max(origin.coverFrom(), writer.lastQueueId()));
            done = true;
            return written;
        } finally {
            if (!done) {
                writer.abandonUnfinished();
            }
        }
    }

    private static boolean isBefore(SalvagedStream piece, BlockEntry block) {
        return BlockFileLayout.isAfter(block.queueId(), block.baseOffset(), piece.queueId(), piece.baseOffset());
    }

    private void append(BlockFileWriter writer, SalvagedStream piece) throws IOException {
        writer.append(piece.queueId(), piece.baseOffset(), piece.stream());
    }

    private void append(BlockFileWriter writer, int queueId, long baseOffset, ByteBuffer whole) throws IOException {
        ByteBuffer stream = withoutBadReferences(whole, queueId, baseOffset);
        BlockStatistics facts = new BlockStatistics();
        cursor.reset(stream, stream.position(), stream.limit(), baseOffset);
        while (cursor.next()) {
            facts.add(cursor);
        }
        writer.append(queueId, baseOffset, stream, facts);
    }

    /** The stream, with holes for records whose payloads are missing. */
    private ByteBuffer withoutBadReferences(ByteBuffer stream, int queueId, long baseOffset) {
        References log = references;
        if (log == null || countBadReferences(stream, baseOffset, log) == 0) {
            return stream;
        }
        ByteBuffer kept = ByteBuffer.allocate(stream.remaining());
        cursor.reset(stream, stream.position(), stream.limit(), baseOffset);
        while (cursor.next()) {
            if (isBad(log)) {
                kept.position(StreamRecord.putHole(kept, kept.position(), cursor.recordCount()));
                dropped.dropped(queueId, cursor.baseOffset(), cursor.nextOffset());
            } else {
                kept.put(stream.slice(cursor.recordAt(), cursor.recordBytes()));
            }
        }
        return kept.flip();
    }

    private boolean isBad(References log) {
        return cursor.isReference()
                && !log.isWhole(
                        cursor.referenceLsn(),
                        cursor.referenceGroupOffset(),
                        cursor.payloadLength(),
                        cursor.referenceCrc());
    }

    private int countBadReferences(ByteBuffer stream, long baseOffset, References log) {
        int bad = 0;
        cursor.reset(stream, stream.position(), stream.limit(), baseOffset);
        while (cursor.next()) {
            bad += isBad(log) ? 1 : 0;
        }
        return bad;
    }

    /** Number of records whose payload in the log is missing or damaged. */
    public long countBadReferences(References log) {
        if (footer != null && footer.lowestLsn() == BlockFileFooter.NO_REFERENCE) {
            return 0;
        }
        long bad = 0;
        Walk walk = new Walk();
        for (BlockEntry block = walk.next(); block != null; block = walk.next()) {
            bad += countBadReferences(walk.stream, block.baseOffset(), log);
        }
        return bad;
    }

    /** Makes {@link #rewrite} replace records whose payloads are missing by holes, and report each. */
    public void dropBadReferences(References log, Dropped listener) {
        references = log;
        dropped = listener;
    }

    /** The log that blocks refer to. */
    public interface References {
        /** Whether the referenced payload is there and undamaged. */
        boolean isWhole(long lsn, int bodyIndex, int lengthBytes, int crc);
    }

    /** Receives records that are dropped. */
    public interface Dropped {
        void dropped(int queueId, long baseOffset, long endOffset);
    }

    /**
     * Without a footer the file covers only the queues in it. For other queues, the files that it replaced are read
     * again.
     */
    private int coverTo(BlockFileWriter writer, BlockFileOrigin of) {
        return footer != null ? footer.coverTo() : Math.max(of.coverFrom(), writer.lastQueueId());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Goes from one undamaged block to the next. */
    private final class Walk {
        private long address = BlockFileLayout.HEADER_BYTES;
        private @Nullable BlockEntry last;
        private ByteBuffer stream = ByteBuffer.allocate(0);

        @Nullable
        BlockEntry next() {
            while (true) {
                BlockEntry block = blockAt(address);
                if (block != null) {
                    address = BlockFileLayout.roundUp(block.endAddress(), BlockFileLayout.PLACE_UNIT_BYTES);
                    last = block;
                    return block;
                }
                Long known = directory.higherKey(address);
                if (known == null) {
                    return null;
                }
                address = known;
            }
        }

        private @Nullable BlockEntry blockAt(long at) {
            ByteBuffer header = bytes(at, BlockFileLayout.BLOCK_HEADER_BYTES);
            int streamBytes = header == null ? 0 : BlockFileLayout.streamBytes(header, 0);
            ByteBuffer block = streamBytes == 0 ? null : bytes(at, BlockFileLayout.BLOCK_HEADER_BYTES + streamBytes);
            if (block == null || !BlockFileLayout.isBlockIntact(block)) {
                return null;
            }
            BlockEntry entry = BlockFileLayout.blockEntry(block, at);
            stream = block.position(BlockFileLayout.BLOCK_HEADER_BYTES).slice();
            return isSound(entry) ? entry : null;
        }

        private boolean isSound(BlockEntry entry) {
            boolean inOrder = last == null
                    || entry.queueId() > last.queueId()
                    || (entry.queueId() == last.queueId() && entry.baseOffset() >= last.endOffset());
            if (!inOrder || entry.queueId() < 0 || entry.baseOffset() < 0 || entry.offsetCount() < 1) {
                return false;
            }
            cursor.reset(stream, 0, stream.limit(), entry.baseOffset());
            while (cursor.next()) {
                // Reads to the end, where the offsets must match.
            }
            return cursor.isSound() && cursor.nextOffset() == entry.endOffset();
        }
    }
}

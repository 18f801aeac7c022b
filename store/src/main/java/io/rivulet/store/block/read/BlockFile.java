package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.cache.FileBytes;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.cache.PageFile;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ShortageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A complete block file, open for reading.
 *
 * <p>Lifetime: reference counted. It begins with one reference, which the set of files holds; {@link #retire} removes
 * it. The last {@link #release} closes the file, drops its pages from the cache, and deletes it if it was retired for
 * deletion.
 *
 * <p>Crash policy: checksummed. {@link #open} verifies header, footer, filter and fence. All of them except the footer
 * can be rebuilt from the rest of the file. Directory pages and blocks are verified each time they come from the cache,
 * because a read from the disk may return an altered byte.
 *
 * <p>Immutable except for the count. Any thread reads; reads may wait for the disk. {@link #retire}: background thread.
 */
public final class BlockFile implements PageFile {
    private static final Logger LOG = LoggerFactory.getLogger(BlockFile.class);

    private final Disk disk;
    private final DiskFile file;
    private final PageCache cache;
    private final BlockFileFooter footer;
    private final BlockDirectory directory;
    private final boolean mended;
    private final long modifiedMillis;
    private final AtomicInteger references = new AtomicInteger(1);
    private volatile boolean deleteAtEnd;

    private BlockFile(Disk disk, DiskFile file, BlockFileFooter footer, PageCache cache, boolean headerMended)
            throws IOException {
        this.disk = disk;
        this.file = file;
        this.footer = footer;
        this.cache = cache;
        ResidentIndex index = readIndex();
        this.directory = new BlockDirectory(this, footer, index.filter(), index.fence(), cache);
        this.mended = headerMended || index.rebuilt();
        this.modifiedMillis = file.modifiedMillis();
    }

    /**
     * Opens a file. Rebuilds header, filter and fence in memory if they are damaged.
     *
     * @throws BlockReadException if the file was never finished, or if a part is damaged that can't be rebuilt
     */
    public static BlockFile open(Disk disk, BlockFileId id, PageCache cache) throws IOException {
        DiskFile file = disk.open(id.name());
        try {
            file.stopWriting();
            BlockFileFooter footer = readFooter(file, id);
            boolean headerMended = isHeaderDamaged(file, id, footer.level());
            return new BlockFile(disk, file, footer, cache, headerMended);
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private static BlockFileFooter readFooter(DiskFile file, BlockFileId id) throws IOException {
        long address = file.sizeBytes() - BlockFileFooter.BYTES;
        if (address < BlockFileLayout.HEADER_BYTES) {
            throw BlockReadException.corrupt(file.name(), 0, "only " + file.sizeBytes() + " bytes long");
        }
        ByteBuffer bytes = ByteBuffer.allocate(BlockFileFooter.BYTES);
        readFully(file, address, bytes);
        String fault = BlockFileFooter.faultIn(bytes);
        if (!fault.isEmpty()) {
            throw BlockReadException.corrupt(file.name(), address, fault);
        }
        BlockFileFooter footer = BlockFileFooter.read(bytes);
        if (!footer.id().equals(id) || footer.totalBytes() != file.sizeBytes()) {
            throw BlockReadException.corrupt(file.name(), address, "the footer is another file's: " + footer);
        }
        return footer;
    }

    /** The footer has all fields of the header, under its own checksum: a damaged header loses nothing. */
    private static boolean isHeaderDamaged(DiskFile file, BlockFileId id, int level) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(BlockFileLayout.HEADER_BYTES);
        readFully(file, 0, header);
        if (BlockFileLayout.isAltered(header)) {
            LOG.warn("{}: the checksum of the header does not match; the footer says the same", file.name());
            return true;
        }
        String fault = BlockFileLayout.faultInHeader(header, id, level);
        if (!fault.isEmpty()) {
            throw BlockReadException.corrupt(file.name(), 0, fault);
        }
        return false;
    }

    /** Verified filter and fence; rebuilt from the directory if they are damaged. */
    private ResidentIndex readIndex() throws IOException {
        try {
            return ResidentIndex.read(file, footer);
        } catch (BlockReadException e) {
            ResidentIndex index = ResidentIndex.rebuild(file, footer);
            LOG.warn("{}; rebuilt in memory from the directory", e.getMessage());
            return index;
        }
    }

    static void readFully(DiskFile file, long address, ByteBuffer target) throws IOException {
        int wanted = target.remaining();
        int bytes;
        try {
            bytes = file.read(address, target);
        } catch (ShortageException e) {
            throw e; // The file itself is not damaged.
        } catch (IOException e) {
            throw BlockReadException.unreadable(file.name(), address, e);
        }
        if (bytes != wanted) {
            throw BlockReadException.corrupt(file.name(), address, "ends after " + bytes + " of " + wanted + " bytes");
        }
    }

    @Override
    public void read(long address, ByteBuffer target) throws IOException {
        readFully(file, address, target);
    }

    @Override
    public long fileNumber() {
        return footer.fileNumber();
    }

    @Override
    public long lengthBytes() {
        return footer.totalBytes();
    }

    public String name() {
        return file.name();
    }

    public BlockFileFooter footer() {
        return footer;
    }

    /**
     * The time by which a batch ages: its timestamp or, if it has none, the time when this file was written; -1 if that
     * is unknown. A merge or compaction writes the batch into a new file.
     */
    public long timeOf(long timestamp) {
        return timestamp >= 0 ? timestamp : modifiedMillis;
    }

    public long writtenMillis() {
        return modifiedMillis;
    }

    /**
     * Whether header, filter or fence are damaged on the disk. No record is lost, but the disk should not be trusted.
     */
    public boolean isMended() {
        return mended;
    }

    /** False only if the file has no block of the queue. No I/O. */
    boolean mayHold(int queueId) {
        return directory.mayHold(queueId);
    }

    BlockProbe find(int queueId, long offset, VerifiedPages known) throws IOException {
        return directory.find(queueId, offset, known);
    }

    public @Nullable BlockEntry firstFrom(int queueId) throws IOException {
        return directory.firstFrom(queueId);
    }

    /**
     * Whether all blocks belong to deleted queues, or are before the start of their queues. Stops reading at the first
     * other block.
     */
    public boolean isDead(QueueView queues) throws IOException {
        return directory.allMatch(block -> !queues.wants(block));
    }

    /**
     * Visits the directory entry of each block, in order, without reading the blocks. Does nothing if the file is
     * closed: then its blocks are obsolete or are in other files.
     */
    public void forEachBlock(Consumer<BlockEntry> visitor) throws IOException {
        if (!acquire()) {
            return;
        }
        try {
            directory.forEach(visitor::accept);
        } finally {
            release();
        }
    }

    /** As {@link #forEachBlock}, for a file that the caller keeps open. */
    void requireEachBlock(BlockDirectory.EntryVisitor visitor) throws IOException {
        directory.forEach(visitor);
    }

    void forEachBlockOf(int[] queueIds, int from, int to, BlockDirectory.EntryVisitor visitor) throws IOException {
        directory.forEachBlockOf(queueIds, from, to, visitor);
    }

    /**
     * Loads the directory into the cache, several pages with each I/O, so that the first read of a queue needs one I/O
     * instead of two. Ignores errors: a read that needs the page reports them.
     */
    public void warmDirectory() {
        try {
            directory.warm();
        } catch (IOException e) {
            LOG.debug("The directory of {} can't be read", name(), e);
        }
    }

    /** Reads and verifies header and stream of a block. The caller closes the result. */
    FileBytes readBlock(BlockEntry block, int aheadBytes, PageClass pageClass) throws IOException {
        FileBytes bytes = cache.read(this, block.startAddress(), block.blockBytes(), aheadBytes, pageClass);
        boolean verified = false;
        try {
            ByteBuffer scratch = ByteBuffer.allocate(BlockFileLayout.BLOCK_HEADER_BYTES);
            ByteBuffer header = bytes.contiguous(0, BlockFileLayout.BLOCK_HEADER_BYTES, scratch);
            requireBlock(header, bytes.crcFrom(BlockFileLayout.BLOCK_QUEUE_ID_AT), block);
            verified = true;
            return bytes;
        } finally {
            if (!verified) {
                bytes.close();
            }
        }
    }

    /**
     * As {@link #readBlock}, but bypasses the cache. The result has header and stream from its position to its limit,
     * and is valid until the next such read.
     */
    ByteBuffer readLoneBlock(BlockEntry block, SmallBlockReads lone) throws IOException {
        ByteBuffer bytes = lone.read(this, block.startAddress(), block.blockBytes());
        boolean verified = false;
        try {
            int crc = BlockFileLayout.crc(bytes, bytes.position() + BlockFileLayout.BLOCK_QUEUE_ID_AT, bytes.limit());
            requireBlock(bytes, crc, block);
            verified = true;
            return bytes;
        } finally {
            if (!verified) {
                lone.forget(this);
            }
        }
    }

    void readPastCache(long address, ByteBuffer target) throws IOException {
        cache.readPast(this, address, target);
    }

    /** Throws unless the header of the block is at the buffer's position, and its checksum matches. */
    private void requireBlock(ByteBuffer source, int computedCrc, BlockEntry block) throws BlockReadException {
        int at = source.position();
        if (source.getInt(at + BlockFileLayout.BLOCK_CRC_AT) != computedCrc) {
            throw BlockReadException.corrupt(name(), block.startAddress(), "checksum of " + block);
        }
        if (!BlockFileLayout.isHeaderOf(block, source, at)) {
            throw BlockReadException.corrupt(name(), block.startAddress(), "another block in the place of " + block);
        }
    }

    /**
     * Reads and verifies every directory page and every block. Continues after a damaged block.
     *
     * @throws BlockReadException if a directory page is damaged: then the blocks after it can't be found
     */
    public void verify(Consumer<BlockReadException> damage) throws IOException {
        directory.forEach(block -> verify(block, damage));
    }

    private void verify(BlockEntry block, Consumer<BlockReadException> damage) {
        try {
            readBlock(block, 0, PageClass.SCAN).close();
        } catch (BlockReadException e) {
            damage.accept(e);
        } catch (IOException e) {
            damage.accept(BlockReadException.unreadable(name(), block.startAddress(), e));
        }
    }

    /** A sequential reader has finished with the range. */
    void passed(long address, long length) {
        cache.passed(this, address, length);
    }

    /** Keeps the file open until {@link #release}; false when it is closed already. */
    public boolean acquire() {
        int seen = references.get();
        while (seen > 0) {
            int witness = references.compareAndExchange(seen, seen + 1);
            if (witness == seen) {
                return true;
            }
            seen = witness;
        }
        return false;
    }

    public void release() {
        int left = references.decrementAndGet();
        if (left == 0) {
            end();
        } else if (left < 0) {
            throw new IllegalStateException(name() + " released more often than acquired");
        }
    }

    /** Releases the first reference. Reads that are under way continue. */
    public void retire(boolean delete) {
        deleteAtEnd = delete;
        release();
    }

    private void end() {
        cache.forget(this);
        try {
            file.close();
            if (deleteAtEnd) {
                disk.delete(name());
            }
        } catch (IOException e) {
            LOG.warn("{} in {} can't be closed and deleted; the next start deletes it", name(), disk.describe(), e);
        }
    }

    /** Heap bytes of the index of this open file. */
    public int residentBytes() {
        return directory.residentBytes();
    }
}

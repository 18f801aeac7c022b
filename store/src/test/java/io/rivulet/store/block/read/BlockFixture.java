package io.rivulet.store.block.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.block.write.BlockWriteBuffers;
import io.rivulet.store.cache.CacheLimits;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.memory.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A disk, a small cache, a set of files, and the checks that compare what is read with the model. */
public final class BlockFixture implements AutoCloseable {
    public static final long STORE_ID = 77;
    public static final int PAGE_BYTES = 8192;
    public static final BlockFileLimits SMALL = new BlockFileLimits(2000, 60_000, 500);

    /** A block for nearly each record, so that a file has several directory pages. */
    public static final BlockFileLimits MANY_BLOCKS = new BlockFileLimits(50, 1 << 20, 6000);

    public final CrashDisk crashDisk;
    public final FaultyDisk disk;
    public final PagePool pool;
    public final PageCache cache;
    public final BlockWriteBuffers buffers = new BlockWriteBuffers();
    public final AtomicLong fileNumbers = new AtomicLong(1);
    public BlockFiles files = new BlockFiles();
    public BlockFileLimits limits = SMALL;

    public BlockFixture() {
        this(new CrashDisk(), 32);
    }

    public BlockFixture(CrashDisk crashDisk, int pages) {
        this.crashDisk = crashDisk;
        this.disk = new FaultyDisk(crashDisk);
        this.pool = new PagePool("cache", (long) pages * PAGE_BYTES, PAGE_BYTES, PAGE_BYTES);
        this.cache = new PageCache(pool, CacheLimits.ofPages(pages));
    }

    public BlockFileId nextId() {
        return new BlockFileId(STORE_ID, fileNumbers.getAndIncrement());
    }

    /** Writes what was added to each queue, as one cycle of the sweep does, and makes it visible to readers. */
    public void sweep(long cycle, Map<Integer, List<BlockModel.Rec>> added) throws IOException {
        BlockFileWriter writer = null;
        for (Map.Entry<Integer, List<BlockModel.Rec>> queue : added.entrySet()) {
            if (queue.getValue().isEmpty()) {
                continue;
            }
            if (writer == null) {
                writer = BlockFileWriter.create(
                        disk, BlockFileOrigin.ofSweep(nextId(), cycle, queue.getKey()), limits, buffers);
            }
            writer.append(queue.getKey(), queue.getValue().get(0).baseOffset(), BlockModel.stream(queue.getValue()));
            if (writer.isFull()) {
                publish(writer);
                writer = null;
            }
        }
        if (writer != null) {
            publish(writer);
        }
    }

    public BlockFile publish(BlockFileWriter writer) throws IOException {
        BlockFileFooter footer = writer.finish(Math.max(0, writer.lastQueueId()));
        BlockFile file = BlockFile.open(disk, footer.id(), cache);
        assertThat(file.footer()).isEqualTo(footer);
        files.add(file);
        return file;
    }

    @Nullable
    FoundBlock find(int queueId, long offset) throws IOException {
        return files.search(queueId, Long.MIN_VALUE, new VerifiedPages()).next(offset);
    }

    public BlockReader reader() {
        return new BlockReader(files, 3 * PAGE_BYTES);
    }

    /** Everything that the queue has in block files from the offset on, read in pieces of this size. */
    public byte[] readAll(int queueId, long offset, int pieceBytes, PageClass pageClass) throws IOException {
        BlockReader reader = reader();
        ByteBuffer all = ByteBuffer.allocate(4 << 20);
        int piece = pieceBytes;
        long next = offset;
        while (true) {
            BlockRead read =
                    reader.read(queueId, next, all.limit(Math.min(all.capacity(), all.position() + piece)), pageClass);
            switch (read.outcome()) {
                case RECORDS -> {
                    next = read.nextOffset();
                    piece = pieceBytes;
                }
                case TOO_SMALL -> piece = read.bytes();
                case NOTHING -> {
                    byte[] bytes = new byte[all.position()];
                    all.get(0, bytes);
                    return bytes;
                }
                default -> throw new AssertionError(read);
            }
        }
    }

    /** Several cycles of records, for even queues only, so that half of the queue ids have no records. */
    public void fill(BlockModel model, int cycles, int queueCount) throws IOException {
        for (int cycle = 1; cycle <= cycles; cycle++) {
            Map<Integer, List<BlockModel.Rec>> added = new TreeMap<>();
            for (int q = 0; q < queueCount; q++) {
                int count = model.random.nextInt(3) == 0 ? 0 : model.random.nextInt(40);
                added.put(2 * q, model.append(2 * q, count, 300));
            }
            sweep(cycle, added);
        }
    }

    /** Reads the queue from the offset on, in pieces of random size, and compares it with the model. */
    public void requireSameAs(BlockModel model, int queueId, long offset) throws IOException {
        List<BlockModel.Rec> expected = model.queues.getOrDefault(queueId, List.of()).stream()
                .filter(rec -> rec.nextOffset() > offset)
                .toList();
        PageClass pageClass = model.random.nextBoolean() ? PageClass.TAIL : PageClass.SCAN;
        byte[] read = readAll(queueId, offset, 1 + model.random.nextInt(9000), pageClass);
        assertThat(read).isEqualTo(BlockModel.stream(expected).array());
    }

    /** Deletes worthless files that are not in the manifest, as a start does. */
    public void deleteUnknownFiles(Set<Long> numbersInManifest) throws IOException {
        for (String name : disk.list()) {
            if (!BlockFileId.isName(name) || !numbersInManifest.contains(BlockFileId.fileNumber(name))) {
                disk.delete(name);
            }
        }
    }

    /** No page is pinned, and every page is accounted for. */
    public void requireBalanced() {
        assertThat(cache.openLeases()).isZero();
        pool.requireBalanced();
        assertThat((long) cache.pagesHeld()).isEqualTo(cache.pagesCached());
    }

    @Override
    public void close() {
        requireBalanced();
        files.close();
        assertThat(cache.pagesHeld()).isZero();
    }
}

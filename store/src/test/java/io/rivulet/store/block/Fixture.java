package io.rivulet.store.block;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A disk, a small cache, a set of files, and the checks that compare what is read with the model. */
final class Fixture implements AutoCloseable {
    static final long STORE_ID = 77;
    static final int PAGE_BYTES = 8192;
    static final BlockFileLimits SMALL = new BlockFileLimits(2000, 60_000, 500);

    /** A block for nearly each record, so that a file has several directory pages. */
    static final BlockFileLimits MANY_BLOCKS = new BlockFileLimits(50, 1 << 20, 6000);

    final CrashDisk crashDisk;
    final FaultyDisk disk;
    final PagePool pool;
    final PageCache cache;
    final BlockWriteBuffers buffers = new BlockWriteBuffers();
    final AtomicLong fileNumbers = new AtomicLong(1);
    BlockFiles files = new BlockFiles();
    BlockFileLimits limits = SMALL;

    Fixture() {
        this(new CrashDisk(), 32);
    }

    Fixture(CrashDisk crashDisk, int pages) {
        this.crashDisk = crashDisk;
        this.disk = new FaultyDisk(crashDisk);
        this.pool = new PagePool("cache", (long) pages * PAGE_BYTES, PAGE_BYTES, PAGE_BYTES);
        this.cache = new PageCache(pool, CacheLimits.ofPages(pages));
    }

    BlockFileId nextId() {
        return new BlockFileId(STORE_ID, fileNumbers.getAndIncrement());
    }

    /** Writes what each queue got, as one cycle of the sweep would, and shows it to readers. */
    void sweep(long cycle, Map<Integer, List<Model.Rec>> added) throws IOException {
        BlockFileWriter writer = null;
        for (Map.Entry<Integer, List<Model.Rec>> queue : added.entrySet()) {
            if (queue.getValue().isEmpty()) {
                continue;
            }
            if (writer == null) {
                writer = BlockFileWriter.create(
                        disk, BlockFileOrigin.ofSweep(nextId(), cycle, queue.getKey()), limits, buffers);
            }
            writer.append(queue.getKey(), queue.getValue().get(0).baseOffset(), Model.stream(queue.getValue()));
            if (writer.isFull()) {
                publish(writer);
                writer = null;
            }
        }
        if (writer != null) {
            publish(writer);
        }
    }

    BlockFile publish(BlockFileWriter writer) throws IOException {
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

    BlockReader reader() {
        return new BlockReader(files, 3 * PAGE_BYTES);
    }

    /** Everything that the queue has in block files from the offset on, read in pieces of this size. */
    byte[] readAll(int queueId, long offset, int pieceBytes, PageClass pageClass) throws IOException {
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

    /** What a start does with files that are not in the manifest, when they are worthless. */
    void deleteUnknownFiles(Set<Long> numbersInManifest) throws IOException {
        for (String name : disk.list()) {
            if (!BlockFileId.isName(name) || !numbersInManifest.contains(BlockFileId.fileNumber(name))) {
                disk.delete(name);
            }
        }
    }

    /** Nothing is pinned, and every page is accounted for. */
    void requireBalanced() {
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

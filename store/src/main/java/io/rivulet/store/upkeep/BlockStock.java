package io.rivulet.store.upkeep;

import io.rivulet.store.block.BlockFile;
import io.rivulet.store.block.BlockFileFooter;
import io.rivulet.store.block.BlockFileId;
import io.rivulet.store.block.BlockFileLimits;
import io.rivulet.store.block.BlockFileOrigin;
import io.rivulet.store.block.BlockFileWriter;
import io.rivulet.store.block.BlockFiles;
import io.rivulet.store.block.BlockWriteBuffers;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.checkpoint.ManifestStore;
import io.rivulet.store.io.Disk;
import io.rivulet.store.sweep.SweepTarget;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;

/**
 * Keeps the block files that readers see and those that the manifest names the same: the manifest first, then the readers. The
 * sweep's files arrive here.
 *
 * <p>Owned by: background thread; during recovery the one that opens the store. {@link #files} is for any thread.
 */
public final class BlockStock implements SweepTarget, AutoCloseable {
    private final Disk disk;
    private final long storeId;
    private final ManifestStore manifest;
    private final PageCache cache;
    private final BlockFileLimits limits;
    private final BlockFiles files;
    private final BlockWriteBuffers buffers = new BlockWriteBuffers();

    /** Deletes what a crash has left over, and opens what the manifest names. */
    public BlockStock(Disk disk, long storeId, ManifestStore manifest, PageCache cache, BlockFileLimits limits)
            throws IOException {
        this.disk = disk;
        this.storeId = storeId;
        this.manifest = manifest;
        this.cache = cache;
        this.limits = limits;
        List<Long> numbers = manifest.current().files();
        BlockFiles.deleteStrangers(disk, new HashSet<>(numbers));
        this.files = BlockFiles.open(
                disk,
                numbers.stream().map(number -> new BlockFileId(storeId, number)).toList(),
                cache);
    }

    public BlockFiles files() {
        return files;
    }

    public Manifest manifest() {
        return manifest.current();
    }

    @Override
    public BlockFileWriter begin(long cycle, int firstQueueId) throws IOException {
        BlockFileId id = new BlockFileId(storeId, manifest.takeFileNumber());
        return BlockFileWriter.create(disk, BlockFileOrigin.ofSweep(id, cycle, firstQueueId), limits, buffers);
    }

    @Override
    public void finished(BlockFileFooter footer) throws IOException {
        BlockFile file = BlockFile.open(disk, new BlockFileId(storeId, footer.fileNumber()), cache);
        boolean entered = false;
        try {
            manifest.replace(m -> m.withFiles(List.of(footer.fileNumber()), List.of()));
            files.add(file);
            entered = true;
        } finally {
            if (!entered) {
                file.retire(false);
            }
        }
    }

    /** The log is needed from here on: for references of block files, and for a replay. */
    public long neededLsn() {
        return files.files().stream()
                .mapToLong(file -> file.footer().lowestLsn())
                .reduce(manifest.current().replayLsn(), Math::min);
    }

    @Override
    public void close() {
        files.close();
    }
}

package io.rivulet.store.maintenance;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.merge.BlockMerger;
import io.rivulet.store.block.merge.MergeBuffers;
import io.rivulet.store.block.merge.MergePlan;
import io.rivulet.store.block.merge.MergeSettings;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.block.write.BlockWriteBuffers;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.checkpoint.ManifestStore;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.io.ShortageException.Kind;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.sweep.SweepTarget;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * All block files of the store: a new file is first added to the manifest and then made visible to readers. Files of
 * the sweep, of merges and of compactions are added here.
 *
 * <p>Owned by: background thread; during recovery the one that opens the store. {@link #files} is for any thread.
 */
public final class BlockRegistry implements SweepTarget, AutoCloseable {
    /** A file is only begun if there is space for this part of it. */
    private static final int SMALLEST_FILE_PART = 16;

    private final Disk disk;
    private final CommitLog log;
    private final long storeId;
    private final ManifestStore manifest;
    private final PageCache cache;
    private final BlockFileLimits limits;
    private final BlockFiles files;
    private final BlockWriteBuffers buffers = new BlockWriteBuffers();
    private final BlockWriteBuffers compactionBuffers = new BlockWriteBuffers();
    private final LongAdder sweptBytes = new LongAdder();

    /** Opens the files that the manifest names. */
    public BlockRegistry(Disk disk, CommitLog log, ManifestStore manifest, PageCache cache, BlockFileLimits limits)
            throws IOException {
        this.disk = disk;
        this.log = log;
        this.storeId = log.storeId();
        this.manifest = manifest;
        this.cache = cache;
        this.limits = limits;
        List<Long> numbers = manifest.current().files();
        this.files = BlockFiles.open(
                disk,
                numbers.stream().map(number -> new BlockFileId(storeId, number)).toList(),
                cache);
    }

    /**
     * Records in files that are younger than the snapshot of the queue table are not in the tail. A queue that is in
     * these files but not in the snapshot was created later: the replay will create it, and delete it if it was
     * deleted. Without this step its records would be swept a second time.
     */
    public static void raiseTailStarts(BlockFiles files, long snapshotFileNumber, QueueTable table) throws IOException {
        for (BlockFile file : files.files()) {
            if (file.fileNumber() >= snapshotFileNumber) {
                file.forEachBlock(block -> {
                    if (table.exists(block.queueId())) {
                        table.raiseTailStart(block.queueId(), block.endOffset());
                    } else {
                        table.restore(block.queueId(), 0, 0, block.endOffset());
                    }
                });
            }
        }
    }

    public long storeId() {
        return storeId;
    }

    public BlockFiles files() {
        return files;
    }

    public Manifest manifest() {
        return manifest.current();
    }

    @Override
    public BlockFileWriter begin(long cycle, int firstQueueId) throws IOException {
        BlockFileLimits fitting = limitsFor(disk.usableBytes());
        BlockFileId id = new BlockFileId(storeId, manifest.takeFileNumber());
        return BlockFileWriter.create(disk, BlockFileOrigin.ofSweep(id, cycle, firstQueueId), fitting, buffers);
    }

    /**
     * Limits a file to half of the free space, so that it is not written and abandoned at each signal. The other half
     * is for its directory, the checkpoint, and the log.
     */
    private BlockFileLimits limitsFor(long usableBytes) throws ShortageException {
        long room = usableBytes / 2;
        if (room < limits.targetFileBytes() / SMALLEST_FILE_PART) {
            throw new ShortageException(Kind.SPACE, "only " + usableBytes + " bytes are left in " + disk.describe());
        }
        return limits.withTargetFileBytes(Math.min(room, limits.targetFileBytes()));
    }

    @Override
    public void finished(BlockFileFooter footer) throws IOException {
        enter(new BlockFileId(storeId, footer.fileNumber()));
        sweptBytes.add(footer.totalBytes());
    }

    /** Bytes of all files that the sweep has written. Any thread. */
    public long sweptBytes() {
        return sweptBytes.sum();
    }

    /** Begins a file of a compaction, which must be added. */
    BlockFileWriter beginCompacted(int level, long lastCycle, int coverFrom, BlockFileLimits ofFile)
            throws IOException {
        BlockFileId id = new BlockFileId(storeId, manifest.takeFileNumber());
        return BlockFileWriter.create(
                disk, new BlockFileOrigin(id, level, 0, lastCycle, coverFrom), ofFile, compactionBuffers);
    }

    /**
     * Adds a complete file to the manifest and then makes it visible to readers. If there is no space for the manifest,
     * deletes the file: nothing else would do so before the next start.
     */
    void enter(BlockFileId id) throws IOException {
        try {
            addToManifest(id);
        } catch (ShortageException e) {
            delete(id, e);
            throw e;
        }
    }

    private void delete(BlockFileId id, ShortageException why) {
        try {
            disk.delete(id.name());
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    private void addToManifest(BlockFileId id) throws IOException {
        BlockFile file = BlockFile.open(disk, id, cache);
        boolean entered = false;
        try {
            manifest.replace(m -> m.withFiles(List.of(id.fileNumber()), List.of()));
            files.add(file);
            entered = true;
            file.warmDirectory();
        } finally {
            if (!entered) {
                file.retire(false); // the manifest on the disk may name it
            }
        }
    }

    /** Begins a merge, whose outputs must be added. */
    BlockMerger merger(
            MergePlan plan, MergeSettings settings, QueueView queues, LogPayloads payloads, MergeBuffers memory) {
        return new BlockMerger(disk, files, plan, settings, queues, payloads, manifest::takeFileNumber, memory);
    }

    /** Removes files that merged files have replaced. */
    void removeSuperseded() throws IOException {
        remove(files.superseded());
    }

    /** Removes files without any record that can still be read. */
    boolean removeObsolete(QueueView queues) throws IOException {
        List<BlockFile> dead = files.dead(queues);
        remove(dead);
        return !dead.isEmpty();
    }

    private void remove(List<BlockFile> unwanted) throws IOException {
        if (!unwanted.isEmpty()) {
            List<Long> numbers = unwanted.stream().map(BlockFile::fileNumber).toList();
            manifest.replace(m -> m.withFiles(List.of(), numbers));
            files.remove(unwanted);
        }
    }

    /** The first cycle without files. A restart begins a new cycle, because the queue ids of a cycle must ascend. */
    public long nextCycle() {
        return files.nextCycle(manifest.current().cycle());
    }

    /** Whether block files may refer to the log for as long as they want. */
    boolean logKeepsBatches() {
        return log.keepsBatches();
    }

    /** Trims the part of the log that neither block files nor a replay need. */
    void trimLog() throws IOException {
        log.trimBefore(neededLsn());
    }

    /** The first lsn that references of block files or a replay need. */
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

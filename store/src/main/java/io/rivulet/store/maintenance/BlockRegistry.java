package io.rivulet.store.maintenance;

import io.rivulet.store.block.BlockFile;
import io.rivulet.store.block.BlockFileFooter;
import io.rivulet.store.block.BlockFileId;
import io.rivulet.store.block.BlockFileLimits;
import io.rivulet.store.block.BlockFileOrigin;
import io.rivulet.store.block.BlockFileWriter;
import io.rivulet.store.block.BlockFiles;
import io.rivulet.store.block.BlockMerger;
import io.rivulet.store.block.BlockWriteBuffers;
import io.rivulet.store.block.LogPayloads;
import io.rivulet.store.block.MergeBuffers;
import io.rivulet.store.block.MergePlan;
import io.rivulet.store.block.MergeSettings;
import io.rivulet.store.block.QueueView;
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
 * Keeps the block files that readers see and those that the manifest names the same: the manifest first, then the readers. The
 * files of sweep and merge arrive here.
 *
 * <p>Owned by: background thread; during recovery the one that opens the store. {@link #files} is for any thread.
 */
public final class BlockRegistry implements SweepTarget, AutoCloseable {
    /** Space for less than this part of a file is no space. */
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

    /** Opens what the manifest names. */
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
     * What files that are younger than the queue table's snapshot hold is not in the tail. A queue that is in them and not in the
     * snapshot was created after it: the replay will come to that, and to its deletion if there was one. If it were left out here,
     * its records would be swept a second time.
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
     * A file for which the disk has no room would be written in vain, at each signal anew. So it takes half of what there is: the
     * other half is for its directory, the checkpoint, and the log.
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

    /** Any thread: of all files that the sweep has written. */
    public long sweptBytes() {
        return sweptBytes.sum();
    }

    /** Begins a file of compaction, which has to be entered. */
    BlockFileWriter beginCompacted(int level, long lastCycle, int coverFrom, BlockFileLimits ofFile)
            throws IOException {
        BlockFileId id = new BlockFileId(storeId, manifest.takeFileNumber());
        return BlockFileWriter.create(
                disk, new BlockFileOrigin(id, level, 0, lastCycle, coverFrom), ofFile, compactionBuffers);
    }

    /** Enters a finished file in the manifest, and then shows it to readers. */
    void enter(BlockFileId id) throws IOException {
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

    /** Begins a merge, whose outputs have to be entered. */
    BlockMerger merger(
            MergePlan plan, MergeSettings settings, QueueView queues, LogPayloads payloads, MergeBuffers memory) {
        return new BlockMerger(disk, files, plan, settings, queues, payloads, manifest::takeFileNumber, memory);
    }

    /** Gives up files in whose place merged ones are. */
    void removeSuperseded() throws IOException {
        remove(files.superseded());
    }

    /** Gives up files in which there is nothing that anybody may still read. */
    boolean removeDead(QueueView queues) throws IOException {
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

    /** The first cycle of which there can be no file yet. Cycles are never gone on with after a restart: within one, queues ascend. */
    public long nextCycle() {
        return files.files().stream()
                .mapToLong(file -> file.footer().lastCycle() + 1)
                .reduce(manifest.current().cycle(), Math::max);
    }

    /** Lets go of the log what neither block files nor a replay need. */
    void trimLog() throws IOException {
        log.trimBefore(neededLsn());
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

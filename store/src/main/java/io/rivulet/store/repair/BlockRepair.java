package io.rivulet.store.repair;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.write.BlockWriteBuffers;
import io.rivulet.store.cache.CacheLimits;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.huge.HugeFiles;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.log.local.LocalCommitLog;
import io.rivulet.store.memory.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Repairs block files. Writes damaged ones again with all undamaged blocks, sets aside those whose cycles and queues
 * are unknown, and closes the gaps that are left. Owned by: one repair.
 */
final class BlockRepair {
    private static final String FOLDER = "blocks";
    private static final int CACHE_BYTES = 8 << 20;
    private static final int PAGE_BYTES = 32 << 10;
    private static final int SLAB_BYTES = 1 << 20;
    private static final int PROGRESS_FILES = 100;
    /** One for each file with gaps, and for gaps that are too much for one round. */
    private static final int MAX_ROUNDS = 1_000_000;

    private final LocalCommitLog log;
    private final Disk disk;
    private final Disk root;
    private final SetAside aside;
    private final long nowMillis;
    private final RepairAdvice advice;
    private final RepairNotes notes;
    private final PageCache cache;
    private final LogReferences references;
    private final BlockWriteBuffers buffers = new BlockWriteBuffers();

    BlockRepair(LocalCommitLog log, Disk root, SetAside aside, long nowMillis, RepairAdvice advice, RepairNotes notes)
            throws IOException {
        this.log = log;
        this.root = root;
        this.disk = root.directory(FOLDER);
        this.aside = aside;
        this.nowMillis = nowMillis;
        this.advice = advice;
        this.notes = notes;
        PagePool pool = new PagePool("repair", CACHE_BYTES, PAGE_BYTES, SLAB_BYTES);
        this.cache = new PageCache(pool, CacheLimits.ofPages(pool.capacityPages()));
        this.references = new LogReferences(log, new HugeFiles(root, log.storeId(), false));
    }

    /** Returns the manifest that matches the files. */
    Manifest repair(Manifest found) throws IOException {
        loadNames(found);
        setUnknownFilesAside(found);
        List<Long> whole = new ArrayList<>();
        for (long number : found.files()) {
            if (isWhole(number) || isRewritten(number)) {
                whole.add(number);
            }
            if (whole.size() % PROGRESS_FILES == 0) {
                notes.progress(
                        "%,d of %,d block files checked",
                        whole.size(), found.files().size());
            }
        }
        Manifest manifest = found.withFiles(whole, found.files());
        return withoutGaps(manifest);
    }

    private void setUnknownFilesAside(Manifest manifest) throws IOException {
        for (String name : disk.list()) {
            if (BlockFileId.isName(name) && !manifest.files().contains(BlockFileId.fileNumber(name))) {
                setAside(name, "it is not in the manifest");
            }
        }
    }

    private void setAside(String name, String why) throws IOException {
        notes.done("%s/%s: %s; moved to %s", FOLDER, name, why, aside.move(FOLDER, name, nowMillis));
    }

    private BlockFileId id(long number) {
        return new BlockFileId(log.storeId(), number);
    }

    /** Reads the whole file. */
    private boolean isWhole(long number) {
        String name = id(number).name();
        try {
            BlockFile file = BlockFile.open(disk, id(number), cache);
            try {
                List<String> damage = new ArrayList<>();
                file.verify(e -> damage.add(String.valueOf(e.getMessage())));
                damage.forEach(what -> notes.progress("%s", what));
                if (file.isMended()) {
                    notes.progress("%s/%s: header, filter or fence is damaged", FOLDER, name);
                }
                return damage.isEmpty() && !file.isMended() && !hasBadReferences(number);
            } finally {
                file.retire(false);
            }
        } catch (IOException e) {
            notes.progress("%s/%s: %s", FOLDER, name, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private boolean hasBadReferences(long number) throws IOException {
        try (BlockSalvage file = BlockSalvage.open(disk, id(number).name(), id(number))) {
            long bad = file.countBadReferences(references);
            if (bad > 0) {
                notes.progress(
                        "blocks/%s refers to %,d batches that are missing or damaged in the log",
                        id(number).name(), bad);
            }
            return bad > 0;
        }
    }

    /**
     * Sets the file aside and writes it again from there. It may have been set aside by an earlier repair that was
     * interrupted.
     */
    private boolean isRewritten(long number) throws IOException {
        String name = id(number).name();
        if (disk.exists(name)) {
            notes.progress("%s/%s was moved to %s", FOLDER, name, aside.move(FOLDER, name, nowMillis));
        }
        List<String> there = aside.list(FOLDER, name);
        if (!there.isEmpty()) {
            Disk from = root.directory(SetAside.FOLDER);
            try (BlockSalvage file = BlockSalvage.open(from, there.get(there.size() - 1), id(number))) {
                if (file.isOfUse()) {
                    deleteUnfinished(name);
                    file.dropBadReferences(references, this::dropped);
                    BlockFileFooter footer = file.rewrite(disk, List.of(), buffers);
                    notes.done(
                            "%s/%s was written again with its %,d undamaged blocks, %,d offsets",
                            FOLDER, name, footer.blockCount(), footer.offsetCount());
                    return true;
                }
            } catch (IOException e) {
                notes.progress("%s: %s", there.get(there.size() - 1), String.valueOf(e.getMessage()));
            }
        }
        notes.done("%s/%s was removed from the manifest: no part of it can be read", FOLDER, name);
        return false;
    }

    private void dropped(int queueId, long baseOffset, long endOffset) {
        notes.lost("%s: offsets %d to %d", advice.queueName(queueId), baseOffset, endOffset - 1);
    }

    /** From a repair that was interrupted. */
    private void deleteUnfinished(String name) throws IOException {
        for (String other : disk.list()) {
            if (BlockFileId.isUnfinishedName(other) && other.startsWith(name)) {
                disk.delete(other);
            }
        }
    }

    // ---- gaps ----

    private Manifest withoutGaps(Manifest start) throws IOException {
        Manifest manifest = start;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            BlockFiles files = BlockFiles.open(
                    disk, manifest.files().stream().map(this::id).toList(), cache);
            try {
                TreeMap<Long, List<Gap>> byFile = new TreeMap<>();
                for (Gap gap : new Gaps(log).find(manifest, files)) {
                    byFile.computeIfAbsent(gap.fileNumber(), n -> new ArrayList<>())
                            .add(gap);
                }
                if (byFile.isEmpty()) {
                    return manifest;
                }
                manifest = fill(
                        manifest, files, byFile.firstKey(), byFile.firstEntry().getValue());
            } finally {
                files.close();
            }
        }
        throw new IOException("the gaps in block files can't be closed");
    }

    private Manifest fill(Manifest manifest, BlockFiles files, long number, List<Gap> gaps) throws IOException {
        List<SalvagedStream> pieces = new GapFiller(log, advice, notes).fill(gaps);
        if (number > 0) {
            try (BlockSalvage file = BlockSalvage.open(disk, id(number).name(), id(number))) {
                deleteUnfinished(id(number).name());
                file.rewrite(disk, pieces, buffers);
            }
            return manifest;
        }
        long newNumber = manifest.nextFileNumber();
        long cycle = files.nextCycle(manifest.cycle());
        pieces.sort(Comparator.comparingInt(SalvagedStream::queueId));
        BlockFileOrigin origin =
                BlockFileOrigin.ofSweep(id(newNumber), cycle, pieces.get(0).queueId());
        BlockSalvage.write(disk, origin, pieces, buffers);
        return manifest.withFiles(List.of(newNumber), List.of()).withNextFileNumber(newNumber + 1);
    }

    /** Loads the names of queues: what a start would know before it replays batches. */
    private void loadNames(Manifest manifest) throws IOException {
        String ending = "-" + (manifest.cycle() - 1);
        for (int viewId : manifest.viewLsns().keySet()) {
            log.loadSnapshot(Checkpointer.VIEW + viewId + ending, in -> advice.loadNames(viewId, in));
        }
        LogEntries.replay(log, manifest.replayLsn(), group -> new LogEntries() {
            @Override
            public void state(int viewId, ByteBuffer bytes, int at, int length) {
                if (group.lsn() >= manifest.viewLsns().getOrDefault(viewId, 0L)) {
                    advice.applyName(viewId, bytes.slice(at, length));
                }
            }
        });
    }
}

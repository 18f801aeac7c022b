package io.rivulet.store.repair;

import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.checkpoint.ManifestStore;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.local.LocalCommitLog;
import io.rivulet.store.queue.QueueSnapshot;
import io.rivulet.store.queue.QueueTable;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Finds or creates a manifest whose snapshots are all undamaged. Owned by: one repair. */
final class CheckpointRepair {
    /** Sets aside the file with this name in the log's folder, if there is one. */
    interface Aside {
        void move(String name) throws IOException;
    }

    private static final int BUFFER_BYTES = 64 << 10;
    private static final String SUFFIX = ".snapshot";

    private final LocalCommitLog log;
    private final Disk blocks;
    private final Aside aside;
    private final boolean cutsLog;
    private final RepairAdvice advice;
    private final RepairNotes notes;

    CheckpointRepair(
            LocalCommitLog log, Disk blocks, Aside aside, boolean cutsLog, RepairAdvice advice, RepairNotes notes) {
        this.log = log;
        this.blocks = blocks;
        this.aside = aside;
        this.cutsLog = cutsLog;
        this.advice = advice;
        this.notes = notes;
    }

    /** Null if it is not possible. */
    @Nullable
    Manifest repair() throws IOException {
        Manifest manifest = load(ManifestStore.NAME);
        if (manifest != null && isOlderThanSnapshots(manifest)) {
            notes.progress("log/manifest.snapshot is older than the snapshots");
            aside.move(ManifestStore.NAME + SUFFIX);
            manifest = null;
        }
        if (manifest == null) {
            manifest = fromCopy();
        }
        if (manifest == null) {
            notes.failed("log/manifest.snapshot: it is missing or damaged, and there is no copy of it");
            return null;
        }
        manifest = withinTheLog(manifest);
        return manifest == null ? null : withWholeSnapshots(manifest);
    }

    private @Nullable Manifest load(String name) throws IOException {
        AtomicReference<@Nullable Manifest> loaded = new AtomicReference<>();
        try {
            log.loadSnapshot(name, in -> loaded.set(ManifestStore.read(in)));
            return loaded.get();
        } catch (IOException e) {
            notes.progress("log/%s%s: %s", name, SUFFIX, what(e));
            aside.move(name + SUFFIX);
            return null;
        }
    }

    private static String what(IOException e) {
        return e instanceof DamagedLogException damaged ? damaged.what() : String.valueOf(e.getMessage());
    }

    /** Its own snapshots are missing, and there are those of a later checkpoint. */
    private boolean isOlderThanSnapshots(Manifest manifest) throws IOException {
        List<String> names = log.snapshots();
        return !names.contains(Checkpointer.QUEUES + (manifest.cycle() - 1))
                && names.stream()
                        .anyMatch(name -> name.startsWith(ManifestStore.COPY)
                                && Checkpointer.cycleOf(name) < Long.MAX_VALUE
                                && Checkpointer.cycleOf(name) > manifest.cycle() - 1);
    }

    /**
     * The copy has all facts except the list of block files. Those are in their folder, and their footers identify
     * them.
     */
    private @Nullable Manifest fromCopy() throws IOException {
        List<String> copies = log.snapshots().stream()
                .filter(name -> name.startsWith(ManifestStore.COPY) && Checkpointer.cycleOf(name) < Long.MAX_VALUE)
                .sorted(Comparator.comparingLong(Checkpointer::cycleOf).reversed())
                .toList();
        for (String name : copies) {
            Manifest copy = load(name);
            if (copy != null) {
                Manifest made = withFilesThatAreThere(copy);
                notes.done(
                        "log/manifest.snapshot was rebuilt from its copy of cycle %d and %d block files",
                        copy.cycle() - 1, made.files().size());
                return made;
            }
        }
        return null;
    }

    private Manifest withFilesThatAreThere(Manifest copy) throws IOException {
        TreeSet<Long> files = new TreeSet<>();
        for (String name : blocks.list()) {
            if (BlockFileId.isName(name) && belongs(name)) {
                files.add(BlockFileId.fileNumber(name));
            }
        }
        long next = files.isEmpty() ? 0 : files.last() + 1;
        return copy.withFiles(files, copy.files()).withNextFileNumber(Math.max(copy.nextFileNumber(), next));
    }

    private boolean belongs(String name) {
        BlockFileId id = new BlockFileId(log.storeId(), BlockFileId.fileNumber(name));
        try (BlockSalvage file = BlockSalvage.open(blocks, name, id)) {
            return file.isOfUse();
        } catch (IOException e) {
            return false;
        }
    }

    /** After a cut the log ends earlier. Later state of a view may be in its snapshot; state after that is lost. */
    private @Nullable Manifest withinTheLog(Manifest manifest) {
        long endLsn = log.writtenLsn();
        if (!log.hasAllFrom(manifest.replayLsn())) {
            return withoutBeginning(manifest);
        }
        boolean within = manifest.replayLsn() <= endLsn
                && manifest.viewLsns().values().stream().allMatch(lsn -> lsn <= endLsn);
        if (within) {
            return manifest;
        }
        Map<Integer, Long> viewLsns = new TreeMap<>(manifest.viewLsns());
        viewLsns.replaceAll((view, lsn) -> Math.min(lsn, endLsn));
        notes.lost(
                "the log from lsn %x to the manifest's lsn %x, except what is in snapshots and block files",
                endLsn, manifest.replayLsn());
        return manifest.withReplay(Math.min(manifest.replayLsn(), endLsn), viewLsns);
    }

    private @Nullable Manifest withoutBeginning(Manifest manifest) {
        String gone =
                String.format("the log from lsn %x to lsn %x, where it begins", manifest.replayLsn(), log.firstLsn());
        if (!cutsLog) {
            notes.failed("%s, is missing. With --cut-log it is dropped", gone);
            return null;
        }
        notes.lost("%s, except what is in snapshots and block files", gone);
        return manifest.withReplay(log.firstLsn(), manifest.viewLsns());
    }

    // ---- snapshots ----

    private @Nullable Manifest withWholeSnapshots(Manifest manifest) throws IOException {
        if (manifest.cycle() == 1) {
            return manifest;
        }
        String ending = String.valueOf(manifest.cycle() - 1);
        QueueTable table = new QueueTable();
        boolean queuesAreWhole = isWhole(
                Checkpointer.QUEUES + ending,
                in -> QueueSnapshot.read(new BufferedInputStream(Channels.newInputStream(in)), table));
        List<Integer> lost = new ArrayList<>();
        for (int viewId : new TreeMap<>(manifest.viewLsns()).keySet()) {
            if (!isWhole(Checkpointer.VIEW + viewId + "-" + ending, CheckpointRepair::drain)) {
                lost.add(viewId);
            }
        }
        if (queuesAreWhole && lost.isEmpty()) {
            return manifest;
        }
        if (log.isWhole()) {
            return replayingAll(manifest);
        }
        if (!queuesAreWhole) {
            notes.failed(
                    "log/%s%s%s: the queue table can't be rebuilt, because the log was trimmed; restore the"
                            + " directory from a copy",
                    Checkpointer.QUEUES, ending, SUFFIX);
            return null;
        }
        return withoutViews(manifest, lost, table);
    }

    /** If nothing was ever trimmed, the log has everything that the snapshots have. */
    private Manifest replayingAll(Manifest manifest) throws IOException {
        for (String name : log.snapshots()) {
            if (Checkpointer.cycleOf(name) < Long.MAX_VALUE) {
                aside.move(name + SUFFIX);
            }
        }
        notes.done("the snapshots: the log has everything since the store was created, and the next start replays it");
        return manifest.replayingAll(log.firstLsn());
    }

    private @Nullable Manifest withoutViews(Manifest manifest, List<Integer> lost, QueueTable table)
            throws IOException {
        long fromLsn = firstReplayableLsn(manifest.replayLsn());
        Map<Integer, Long> viewLsns = new TreeMap<>(manifest.viewLsns());
        long replayLsn = manifest.replayLsn();
        for (int viewId : lost) {
            String name = Checkpointer.VIEW + viewId + "-" + (manifest.cycle() - 1);
            RepairAdvice.ViewRebuild rebuild = advice.rebuild(viewId);
            String consequence = advice.consequenceOfLosing(viewId);
            if (rebuild != null) {
                rebuild(viewId, name, rebuild, table, fromLsn, manifest.replayLsn());
                viewLsns.put(viewId, log.writtenLsn());
            } else if (consequence != null) {
                aside.move(name + SUFFIX);
                viewLsns.remove(viewId);
                replayLsn = Math.min(replayLsn, fromLsn);
                notes.lost("%s, as it was before lsn %x of the log: %s", advice.viewName(viewId), fromLsn, consequence);
            } else {
                notes.failed(
                        "log/%s%s: %s can't be rebuilt, because the log was trimmed; restore the directory from a copy",
                        name, SUFFIX, advice.viewName(viewId));
                return null;
            }
        }
        return manifest.withReplay(replayLsn, viewLsns);
    }

    /** @param replayLsn earlier queues are in the table; if it lacks one, the log may have lost the deletion */
    private void rebuild(
            int viewId, String name, RepairAdvice.ViewRebuild rebuild, QueueTable table, long fromLsn, long replayLsn)
            throws IOException {
        try {
            log.loadSnapshot(name, rebuild::load);
        } catch (IOException e) {
            notes.progress("%s was read up to the damage", advice.viewName(viewId));
        }
        LogEntries.replay(log, fromLsn, group -> new QueueChanges(group.lsn() < replayLsn ? null : table) {
            @Override
            public void state(int ofView, ByteBuffer bytes, int at, int length) {
                if (ofView == viewId) {
                    rebuild.apply(group.timestamp(), bytes.slice(at, length));
                }
            }
        });
        aside.move(name + SUFFIX);
        log.saveSnapshot(name, rebuild.finish(table.idLimit(), table::exists, line -> notes.lost("%s", line))::writeTo);
        notes.progress("log/%s%s was rebuilt", name, SUFFIX);
    }

    /** If the log is damaged before the start of a replay, only the part after that start is replayed. */
    private long firstReplayableLsn(long replayLsn) throws IOException {
        try {
            log.replay(log.firstLsn(), group -> {});
            return log.firstLsn();
        } catch (DamagedLogException e) {
            return replayLsn;
        }
    }

    private boolean isWhole(String name, CommitLog.SnapshotReader reader) {
        try {
            if (log.loadSnapshot(name, reader)) {
                return true;
            }
            notes.progress("log/%s%s is missing", name, SUFFIX);
        } catch (IOException e) {
            notes.progress("log/%s%s: %s", name, SUFFIX, what(e));
        }
        return false;
    }

    private static void drain(ReadableByteChannel in) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (in.read(buffer.clear()) >= 0) {
            // Loading verifies every byte.
        }
    }
}

package io.rivulet.store.repair;

import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.checkpoint.ManifestStore;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.local.LocalCommitLog;
import io.rivulet.store.log.local.LogSalvage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Repairs a data directory so that a start accepts it: first the log, then manifest and snapshots, then block files.
 * Damaged files are moved to the folder {@link SetAside#FOLDER}, or copied there before they are changed; nothing is
 * deleted.
 *
 * <p>Crash policy: the next repair can continue after each step. Files are replaced as a whole. A file that was set
 * aside before its replacement was complete is read from there.
 *
 * <p>Owned by: the thread that repairs. It holds the directory's lock.
 */
public final class Repair {
    /** The result of a repair. */
    public enum Result {
        NOTHING_TO_DO,
        /** Nothing is lost. */
        REPAIRED,
        /** A start succeeds. What was reported as lost is lost. */
        REPAIRED_WITH_LOSS,
        /** A start would still refuse the directory. */
        NOT_REPAIRED
    }

    /** Each opening of a damaged log reports one damage. */
    private static final int MAX_DAMAGES = 10_000;

    private final Disk root;
    private final SetAside aside;
    private final boolean cutsLog;
    private final long nowMillis;
    private final RepairAdvice advice;
    private final RepairNotes notes;

    private Repair(Disk root, boolean cutsLog, long nowMillis, RepairAdvice advice, Consumer<String> lines) {
        this.root = root;
        this.aside = new SetAside(root);
        this.cutsLog = cutsLog;
        this.nowMillis = nowMillis;
        this.advice = advice;
        this.notes = new RepairNotes(lines);
    }

    /**
     * @param cutsLog whether the log may be cut off where it is damaged
     * @throws IOException if the disk fails, or if another process has the store open
     */
    public static Result run(
            Path directory, boolean cutsLog, long nowMillis, RepairAdvice advice, Consumer<String> lines)
            throws IOException {
        return run(new LocalDisk(directory), cutsLog, nowMillis, advice, lines);
    }

    public static Result run(Disk root, boolean cutsLog, long nowMillis, RepairAdvice advice, Consumer<String> lines)
            throws IOException {
        Closeable lock = root.lock();
        try {
            requireAccess(root.directory("log"));
            requireAccess(root.directory("blocks"));
            return new Repair(root, cutsLog, nowMillis, advice, lines).run();
        } finally {
            lock.close();
        }
    }

    /** A file that this process has no permission to open is not damaged, and must not be dropped. */
    private static void requireAccess(Disk disk) throws IOException {
        for (String name : disk.list()) {
            try (DiskFile file = disk.open(name)) {
                file.read(0, ByteBuffer.allocate(1));
            } catch (AccessDeniedException | ShortageException e) {
                throw e;
            } catch (IOException e) {
                // The repair will find this error again.
            }
        }
    }

    /** Runs once more for each damage of the log: some is found only by a replay. */
    private Result run() throws IOException {
        Disk disk = root.directory("log");
        if (disk.exists("log.state") && !disk.list().contains("log.state")) {
            setAsideFromLog("log.state"); // a folder
        }
        LogSalvage salvage = new LogSalvage(disk, new Keeper(disk), cutsLog, new LogNotes());
        for (int damages = 0; damages < MAX_DAMAGES; damages++) {
            try (LocalCommitLog log = LocalCommitLog.openUnchanged(disk)) {
                log.begin();
                repairStore(log);
                return notes.result();
            } catch (DamagedLogException e) {
                if (!salvage.mend(e)) {
                    notes.failed(
                            "log/%s, byte %d: %s. %s",
                            e.file(),
                            e.address(),
                            e.what(),
                            cutsLog
                                    ? "It can't be repaired; restore the directory from a copy"
                                    : "With --cut-log the rest of the log after it is dropped");
                    return notes.result();
                }
            }
        }
        throw new IOException("the log has too many damages to be repaired");
    }

    private void repairStore(LocalCommitLog log) throws IOException {
        Disk blocks = root.directory("blocks");
        CheckpointRepair checkpoint = new CheckpointRepair(log, blocks, this::setAsideFromLog, cutsLog, advice, notes);
        Manifest found = checkpoint.repair();
        if (found == null) {
            return;
        }
        Manifest repaired = new BlockRepair(log, root, aside, nowMillis, advice, notes).repair(found);
        log.force();
        log.saveSnapshot(ManifestStore.NAME, out -> ManifestStore.write(repaired, out));
    }

    private void setAsideFromLog(String name) throws IOException {
        if (!root.directory("log").exists(name)) {
            return;
        }
        notes.progress("log/%s was moved to %s", name, aside.move("log", name, nowMillis));
    }

    // ---- the log ----

    private final class LogNotes implements LogSalvage.Notes {
        @Override
        public void done(String what) {
            notes.done("%s", what);
        }

        @Override
        public void lost(String what) {
            notes.lost("%s", what);
        }
    }

    private final class Keeper implements LogSalvage.Keeper {
        private final Disk disk;

        Keeper(Disk disk) {
            this.disk = disk;
        }

        @Override
        public void move(String name) throws IOException {
            setAsideFromLog(name);
        }

        @Override
        public void copy(String name) throws IOException {
            notes.progress("log/%s was copied to %s", name, aside.copy("log", disk, name, nowMillis));
        }
    }
}

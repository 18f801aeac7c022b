package io.rivulet.store.inspect;

import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.huge.HugeFiles;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.ReadOnlyDisk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.log.LogService;
import io.rivulet.store.repair.RepairAdvice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Inspects a closed store: log, manifest, snapshots and block files, and whether they match. Continues after damage.
 *
 * <p>Refuses an open store. Its files change while they are read: groups are half written, segments are reused, files
 * are added and removed. So every result would be wrong.
 *
 * <p>Refuses a store whose log is in a cluster. The log has the store's id, and no file can be checked without it.
 */
public final class StoreInspector {
    private StoreInspector() {}

    /** The number of problems. Immutable. */
    public record Verdict(int problems) {
        public boolean isSound() {
            return problems == 0;
        }
    }

    /**
     * @param verify whether to read and verify every block; else only header, footer and index of block files
     * @throws IOException if the directory can't be read, or if another process has the store open. Damage is not an
     *     exception
     */
    public static Verdict inspect(Disk disk, boolean verify, InspectionSink sink) throws IOException {
        return inspect(disk, verify, RepairAdvice.NONE, sink);
    }

    /** @param advice supplies the names of views and how to repair them */
    public static Verdict inspect(Path directory, boolean verify, RepairAdvice advice, InspectionSink sink)
            throws IOException {
        return inspect(new ReadOnlyDisk(directory), verify, advice, sink);
    }

    static Verdict inspect(Disk disk, boolean verify, RepairAdvice advice, InspectionSink sink) throws IOException {
        if (disk.exists(LogService.FOLDER)) {
            throw new IOException("the log of " + disk.describe() + " is in a cluster (there is the folder "
                    + LogService.FOLDER + "), and with it the id of the store, which every snapshot and block file is"
                    + " checked with. inspect and --repair read the directory alone, so they can't check it");
        }
        Closeable lock = disk.lock();
        try {
            return walk(disk, verify, advice, new Findings(sink));
        } finally {
            lock.close();
        }
    }

    private static Verdict walk(Disk disk, boolean verify, RepairAdvice advice, Findings findings) throws IOException {
        LogReport log = LogReport.of(disk.directory("log"), findings);
        Manifest manifest = CheckpointReport.report(disk.directory("log"), log, advice, findings);
        log.reportDamages(manifest, verify);
        if (disk.exists("blocks")) {
            BlocksReport.report(disk, manifest, log, verify, findings);
        } else if (manifest != null && !manifest.files().isEmpty()) {
            findings.problem(
                    "blocks", "the folder is missing, with " + manifest.files().size() + " block files");
            findings.remedy("creates it again with the records that the log still has; the others are lost");
        }
        HugeReport.versions(new HugeFiles(disk, log.storeId(), false), findings);
        if (verify && manifest != null) {
            HugeReport.report(disk, manifest, findings);
        }
        List<String> aside = new SetAside(disk).list();
        if (!aside.isEmpty()) {
            findings.line("%s holds %,d files from starts and repairs", SetAside.FOLDER, aside.size());
            aside.forEach(name -> findings.line("  %s", name));
        }
        findings.line(verdict(findings.problems(), verify));
        return new Verdict(findings.problems());
    }

    private static String verdict(int problems, boolean verify) {
        if (problems > 0) {
            return "verdict: damaged, " + problems + (problems == 1 ? " problem" : " problems");
        }
        return verify ? "verdict: sound" : "verdict: no damage found; blocks were not read, use --verify for that";
    }
}

package io.rivulet.store.inspect;

import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.ReadOnlyDisk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.repair.RepairAdvice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Walks through a store that nobody has open: log, manifest, snapshots, block files, and whether they agree. Goes on behind
 * damage.
 *
 * <p>A store that is open elsewhere is refused. Its log and its files change while they are read: groups are half written,
 * segments are used anew, files come and go between two looks at the manifest; so every verdict on it would be wrong.
 */
public final class StoreInspector {
    private StoreInspector() {}

    /** How many problems were found. Immutable. */
    public record Verdict(int problems) {
        public boolean isSound() {
            return problems == 0;
        }
    }

    /**
     * @param verify whether every block is read and its checksum verified; else of block files only header, footer and index are
     * @throws IOException when the directory can't be read, or somebody has the store open; damage is a finding
     */
    public static Verdict inspect(Disk disk, boolean verify, Consumer<String> lines) throws IOException {
        return inspect(disk, verify, RepairAdvice.NONE, lines);
    }

    /** @param advice what a repair would ask about views */
    public static Verdict inspect(Path directory, boolean verify, RepairAdvice advice, Consumer<String> lines)
            throws IOException {
        return inspect(new ReadOnlyDisk(directory), verify, advice, lines);
    }

    static Verdict inspect(Disk disk, boolean verify, RepairAdvice advice, Consumer<String> lines) throws IOException {
        Closeable lock = disk.lock();
        try {
            return walk(disk, verify, advice, new Findings(lines));
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
                    "blocks",
                    "the folder is missing, and with it " + manifest.files().size() + " block files");
            findings.remedy("makes it again, with what the log still has; the rest is lost");
        }
        List<String> aside = new SetAside(disk).list();
        if (!aside.isEmpty()) {
            findings.line("%s holds %,d files that starts or repairs have put there", SetAside.FOLDER, aside.size());
            aside.forEach(name -> findings.line("  %s", name));
        }
        findings.line(verdict(findings.problems(), verify));
        return new Verdict(findings.problems());
    }

    private static String verdict(int problems, boolean verify) {
        if (problems > 0) {
            return "verdict: damaged, " + problems + (problems == 1 ? " problem" : " problems");
        }
        return verify
                ? "verdict: sound"
                : "verdict: sound as far as was looked; blocks were not read, --verify does that";
    }
}

package io.rivulet.store.inspect;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockReadException;
import io.rivulet.store.cache.CacheLimits;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.huge.HugeFiles;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.local.LocalCommitLog;
import io.rivulet.store.memory.PagePool;
import io.rivulet.store.repair.BlockSalvage;
import io.rivulet.store.repair.LogReferences;
import io.rivulet.store.stream.StreamRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes and checks the block files. Owned by: one inspection. */
final class BlocksReport {
    private static final int CACHE_BYTES = 8 << 20;
    private static final int PAGE_BYTES = 32 << 10;
    private static final int SLAB_BYTES = 1 << 20;
    private static final String SALVAGE =
            "keeps the undamaged blocks, adds what the log still has, and lists lost offsets";

    private final Disk disk;
    /** Null if there is no valid manifest. */
    private final @Nullable Manifest manifest;

    private final LogReport log;
    private final boolean verify;
    private final Findings findings;
    private final PageCache cache;
    private @Nullable LogReferences references;

    private BlocksReport(Disk disk, @Nullable Manifest manifest, LogReport log, boolean verify, Findings findings) {
        this.disk = disk;
        this.manifest = manifest;
        this.log = log;
        this.verify = verify;
        this.findings = findings;
        PagePool pool = new PagePool("inspection", CACHE_BYTES, PAGE_BYTES, SLAB_BYTES);
        this.cache = new PageCache(pool, CacheLimits.ofPages(pool.capacityPages()));
    }

    static void report(Disk root, @Nullable Manifest manifest, LogReport log, boolean verify, Findings findings)
            throws IOException {
        BlocksReport report = new BlocksReport(root.directory("blocks"), manifest, log, verify, findings);
        if (!verify) {
            report.report();
            return;
        }
        try (CommitLog opened = LocalCommitLog.openUnchanged(root.directory("log"))) {
            report.references = new LogReferences(opened, new HugeFiles(root, opened.storeId(), false));
            report.report();
        } catch (DamagedLogException e) {
            report.report(); // the damage was reported; references of block files are not checked
        }
    }

    private void report() throws IOException {
        findings.line("block files in %s", disk.describe());
        List<String> there = disk.list();
        if (manifest == null) {
            there.stream()
                    .filter(BlockFileId::isName)
                    .forEach(name -> findings.line("  %s: its use is unknown without a manifest", name));
            return;
        }
        int files = 0;
        for (long number : manifest.files()) {
            findings.progress("block files", files++, manifest.files().size());
            BlockFileId id = new BlockFileId(log.storeId(), number);
            if (there.contains(id.name())) {
                file(id, manifest.timestampBase());
            } else {
                findings.problem("blocks/" + id.name(), "the manifest names it, and it is missing");
                findings.remedy("writes a new file with the records that the log still has, and lists lost offsets");
            }
        }
        for (String name : there) {
            if (BlockFileId.isUnfinishedName(name)) {
                findings.line("  %s: unfinished, the next start deletes it", name);
            } else if (BlockFileId.isName(name) && !manifest.files().contains(BlockFileId.fileNumber(name))) {
                findings.line(
                        "  %s: not in the manifest; the next start deletes it if it is redundant, else sets it aside",
                        name);
            } else if (!BlockFileId.isName(name)) {
                findings.line("  %s: not a file of the store, not changed", name);
            }
        }
    }

    private void file(BlockFileId id, long timestampBase) {
        BlockFile file;
        try {
            file = BlockFile.open(disk, id, cache);
        } catch (IOException e) {
            findings.problem("blocks/" + id.name(), String.valueOf(e.getMessage()));
            findings.remedy(SALVAGE);
            return;
        }
        try {
            describe(file.footer(), id.name(), timestampBase);
            if (file.isMended()) {
                findings.problem(
                        "blocks/" + id.name(), "header, filter or fence is damaged; each start rebuilds it in memory");
                findings.remedy("writes the file again; no record is lost");
            }
            if (verify) {
                file.verify(this::damaged);
                verifyReferences(id);
            }
        } catch (BlockReadException e) {
            damaged(e);
        } catch (IOException e) {
            findings.problem("blocks/" + id.name(), String.valueOf(e.getMessage()));
        } finally {
            file.retire(false);
        }
    }

    private void verifyReferences(BlockFileId id) throws IOException {
        LogReferences log = references;
        if (log == null) {
            return;
        }
        try (BlockSalvage file = BlockSalvage.open(disk, id.name(), id)) {
            long bad = file.countBadReferences(log);
            if (bad > 0) {
                findings.problem(
                        "blocks/" + id.name(), "refers to " + bad + " batches that are missing or damaged in the log");
                findings.remedy("lists their offsets; readers skip them");
            }
        }
    }

    private void damaged(BlockReadException e) {
        findings.problem("blocks/" + e.fileName() + " at byte " + e.address(), String.valueOf(e.getMessage()));
        findings.remedy(SALVAGE);
    }

    private void describe(BlockFileFooter footer, String name, long timestampBase) {
        findings.line(
                "  %s: level %d, cycles %d to %d, %,d bytes, %,d blocks, %,d queues from %d to %d, %,d offsets, %s",
                name,
                footer.level(),
                footer.firstCycle(),
                footer.lastCycle(),
                footer.totalBytes(),
                footer.blockCount(),
                footer.queueCount(),
                footer.minQueueId(),
                footer.maxQueueId(),
                footer.offsetCount(),
                footer.blockCount() == 0
                        ? "empty"
                        : "up to " + Instant.ofEpochMilli(timestampBase + footer.maxTimestampDelta()));
        if (footer.lowestLsn() < StreamRecord.FIRST_HUGE_LSN) {
            findings.line(
                    "    refers to %,d bytes of the log from lsn %x on", footer.referencedBytes(), footer.lowestLsn());
            if (footer.lowestLsn() < log.firstLsn()) {
                findings.problem("blocks/" + name, "it refers to a part of the log that was trimmed");
            }
        }
    }
}

package io.rivulet.store.inspect;

import io.rivulet.store.block.BlockFile;
import io.rivulet.store.block.BlockFileFooter;
import io.rivulet.store.block.BlockFileId;
import io.rivulet.store.block.BlockReadException;
import io.rivulet.store.cache.CacheLimits;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.io.Disk;
import io.rivulet.store.memory.PagePool;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** What the block files say of themselves, and whether it is so. Owned by: one inspection. */
final class BlocksReport {
    private static final int CACHE_BYTES = 8 << 20;
    private static final int PAGE_BYTES = 32 << 10;
    private static final int SLAB_BYTES = 1 << 20;

    private final Disk disk;
    private final Manifest manifest;
    private final LogReport log;
    private final boolean verify;
    private final Findings findings;
    private final PageCache cache;

    private BlocksReport(Disk disk, Manifest manifest, LogReport log, boolean verify, Findings findings) {
        this.disk = disk;
        this.manifest = manifest;
        this.log = log;
        this.verify = verify;
        this.findings = findings;
        PagePool pool = new PagePool("inspection", CACHE_BYTES, PAGE_BYTES, SLAB_BYTES);
        this.cache = new PageCache(pool, CacheLimits.ofPages(pool.capacityPages()));
    }

    static void report(Disk disk, Manifest manifest, LogReport log, boolean verify, Findings findings)
            throws IOException {
        new BlocksReport(disk, manifest, log, verify, findings).report();
    }

    private void report() throws IOException {
        findings.line("block files in %s", disk.describe());
        List<String> there = disk.list();
        for (long number : manifest.files()) {
            BlockFileId id = new BlockFileId(log.storeId(), number);
            if (there.contains(id.name())) {
                file(id);
            } else {
                findings.problem("blocks/" + id.name(), "the manifest names it, and it is missing");
            }
        }
        there.stream()
                .filter(this::isStranger)
                .forEach(name -> findings.line("  %s: not in the manifest, the next start deletes it", name));
    }

    private boolean isStranger(String name) {
        return !BlockFileId.isName(name) || !manifest.files().contains(BlockFileId.fileNumber(name));
    }

    private void file(BlockFileId id) {
        BlockFile file;
        try {
            file = BlockFile.open(disk, id, cache);
        } catch (IOException e) {
            findings.problem("blocks/" + id.name(), String.valueOf(e.getMessage()));
            return;
        }
        try {
            describe(file.footer(), id.name());
            if (verify) {
                file.verify(this::damaged);
            }
        } catch (BlockReadException e) {
            damaged(e);
        } catch (IOException e) {
            findings.problem("blocks/" + id.name(), String.valueOf(e.getMessage()));
        } finally {
            file.retire(false);
        }
    }

    private void damaged(BlockReadException e) {
        findings.problem("blocks/" + e.fileName() + " at byte " + e.address(), String.valueOf(e.getMessage()));
    }

    private void describe(BlockFileFooter footer, String name) {
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
                        : "up to " + Instant.ofEpochMilli(manifest.timestampBase() + footer.maxTimestampDelta()));
        if (footer.lowestLsn() != BlockFileFooter.NO_REFERENCE) {
            findings.line(
                    "    refers to %,d bytes of the log, from lsn %x on", footer.referencedBytes(), footer.lowestLsn());
            if (footer.lowestLsn() < log.firstLsn()) {
                findings.problem("blocks/" + name, "it refers to what is no longer in the log");
            }
        }
    }
}

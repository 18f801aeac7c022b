package io.rivulet.store.inspect;

import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.checkpoint.ManifestStore;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.local.LogInspector;
import io.rivulet.store.queue.QueueSnapshot;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.repair.RepairAdvice;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Checks the manifest and the snapshots that it names. Owned by: one inspection. */
final class CheckpointReport {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Disk disk;
    private final LogReport log;
    private final RepairAdvice advice;
    private final Findings findings;

    private CheckpointReport(Disk disk, LogReport log, RepairAdvice advice, Findings findings) {
        this.disk = disk;
        this.log = log;
        this.advice = advice;
        this.findings = findings;
    }

    /** Null if there is no valid manifest. */
    static @Nullable Manifest report(Disk disk, LogReport log, RepairAdvice advice, Findings findings)
            throws IOException {
        return new CheckpointReport(disk, log, advice, findings).report();
    }

    private @Nullable Manifest report() throws IOException {
        findings.line("manifest");
        if (!log.hasState()) {
            findings.line("  not checked: the log's state is needed for that");
            return null;
        }
        AtomicReference<@Nullable Manifest> loaded = new AtomicReference<>();
        load(ManifestStore.NAME, in -> loaded.set(ManifestStore.read(in)));
        Manifest manifest = loaded.get();
        if (manifest == null) {
            return null;
        }
        findings.line(
                "  cycle %d, %d block files, replay from lsn %x, timestamps count from %s",
                manifest.cycle(),
                manifest.files().size(),
                manifest.replayLsn(),
                Instant.ofEpochMilli(manifest.timestampBase()));
        if (manifest.replayLsn() < log.firstLsn() || manifest.replayLsn() > log.endLsn()) {
            findings.problem(
                    "manifest",
                    "a start replays from lsn " + LogReport.hex(manifest.replayLsn()) + ", the log goes from "
                            + LogReport.hex(log.firstLsn()) + " to " + LogReport.hex(log.endLsn()));
            findings.remedy("writes a matching manifest, if the log begins early enough");
        }
        snapshots(manifest);
        return manifest;
    }

    private void snapshots(Manifest manifest) throws IOException {
        findings.line("snapshots");
        String ending = "-" + (manifest.cycle() - 1);
        List<String> needed = new ArrayList<>();
        if (manifest.cycle() > 1) {
            needed.add(Checkpointer.QUEUES + ending.substring(1));
            for (Map.Entry<Integer, Long> view : new TreeMap<>(manifest.viewLsns()).entrySet()) {
                needed.add("view-" + view.getKey() + ending);
            }
        }
        for (String name : needed) {
            if (name.startsWith(Checkpointer.QUEUES)) {
                queues(name);
            } else {
                load(name, in -> findings.line("  %s: %,d bytes", name, drain(in)));
            }
        }
        for (String name : LogInspector.snapshots(disk)) {
            if (needed.contains(name) || name.equals(ManifestStore.NAME)) {
                continue;
            }
            if (name.equals(ManifestStore.COPY + (manifest.cycle() - 1))) {
                findings.line("  %s: a copy of the manifest, as of the checkpoint", name);
            } else {
                findings.line("  %s: left over, the next checkpoint deletes it", name);
            }
        }
    }

    private void queues(String name) throws IOException {
        QueueTable table = new QueueTable();
        load(name, in -> {
            QueueSnapshot.read(new BufferedInputStream(Channels.newInputStream(in)), table);
            findings.line("  %s: %,d queues, ids up to %,d", name, table.liveQueues(), table.idLimit());
        });
    }

    private interface Reader {
        void read(ReadableByteChannel in) throws IOException;
    }

    private void load(String name, Reader reader) throws IOException {
        try {
            if (!LogInspector.loadSnapshot(disk, log.storeId(), name, reader::read)) {
                missing(name);
            }
        } catch (DamagedLogException e) {
            findings.problem("log/" + e.file() + " at byte " + e.address(), e.what());
            remedy(name);
        } catch (IOException e) {
            findings.problem("log, snapshot " + name, String.valueOf(e.getMessage()));
            remedy(name);
        }
    }

    private void remedy(String name) {
        if (name.equals(ManifestStore.NAME)) {
            findings.remedy("rebuilds it from its copy and the existing block files");
        } else if (log.isWhole()) {
            findings.remedy("makes the next start replay the whole log; no record is lost");
        } else if (name.startsWith(Checkpointer.VIEW)) {
            int viewId = Integer.parseInt(name.substring(Checkpointer.VIEW.length(), name.lastIndexOf('-')));
            String consequence = advice.consequenceOfLosing(viewId);
            if (advice.rebuild(viewId) != null) {
                findings.remedy("rebuilds %s from its readable part and the log", advice.viewName(viewId));
            } else if (consequence != null) {
                findings.remedy("rebuilds %s from the log alone: %s", advice.viewName(viewId), consequence);
            } else {
                findings.remedy("can't rebuild %s", advice.viewName(viewId));
            }
        } else {
            findings.remedy("can't rebuild it, because the log was trimmed");
        }
    }

    /** A start makes the first manifest only if nothing else was ever written. */
    private void missing(String name) throws IOException {
        if (name.equals(ManifestStore.NAME)
                && log.isEmpty()
                && LogInspector.snapshots(disk).isEmpty()) {
            findings.line("  none yet: the store was never used");
        } else {
            findings.problem("log, snapshot " + name, "it is missing");
            remedy(name);
        }
    }

    private static long drain(ReadableByteChannel in) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        long bytes = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer.clear())) {
            bytes += count;
        }
        return bytes;
    }
}

package io.rivulet.store.checkpoint;

import io.rivulet.store.View;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.io.StartRefusedException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.queue.QueueSnapshot;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.time.StoreClock;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the snapshots that end a sweep cycle, and then the manifest that names them.
 *
 * <p>Crash policy: until the manifest is replaced, the last manifest and its snapshots are valid. The next checkpoint
 * deletes snapshots that no manifest names.
 *
 * <p>Owned by: background thread.
 */
public final class Checkpointer {
    /** Prefix of the names of queue table snapshots. */
    public static final String QUEUES = "queues-";

    /** Prefix of the names of view snapshots. */
    public static final String VIEW = "view-";

    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

    private static final Pattern OF_A_CYCLE = Pattern.compile("(?:queues|manifest|view-\\d{1,10})-(\\d{1,18})");

    private final CommitLog log;
    private final QueueTable table;
    private final ManifestStore manifest;
    private final StoreClock clock;

    public Checkpointer(CommitLog log, QueueTable table, ManifestStore manifest, StoreClock clock) {
        this.log = log;
        this.table = table;
        this.manifest = manifest;
        this.clock = clock;
    }

    /** The states of all views between two groups, captured by the log writer. */
    public record ViewStates(long lsn, Map<Integer, View.Snapshot> snapshots) {}

    /** Returns when a restart would replay from {@code replayLsn}. Everything before it must be in block files. */
    public void checkpoint(long replayLsn, ViewStates views) throws IOException {
        Manifest before = manifest.current();
        long snapshotFileNumber = before.nextFileNumber();
        String ending = String.valueOf(before.cycle());
        log.saveSnapshot(QUEUES + ending, out -> {
            OutputStream stream = new BufferedOutputStream(Channels.newOutputStream(out));
            QueueSnapshot.write(table, stream);
            stream.flush();
        });
        Map<Integer, Long> viewLsns = new TreeMap<>();
        for (Map.Entry<Integer, View.Snapshot> view : views.snapshots().entrySet()) {
            log.saveSnapshot(VIEW + view.getKey() + "-" + ending, view.getValue()::writeTo);
            viewLsns.put(view.getKey(), views.lsn());
        }
        Manifest.Time now = new Manifest.Time(clock.stampMillis(), clock.heldBackMillis());
        ManifestStore.saveCopy(log, before.withCheckpoint(now, replayLsn, snapshotFileNumber, viewLsns));
        manifest.replace(m -> m.withCheckpoint(now, replayLsn, snapshotFileNumber, viewLsns));
        try {
            deleteOlder(before.cycle());
        } catch (ShortageException e) {
            LOG.warn("Old snapshots are not deleted until the next checkpoint: {}", e.getMessage());
        }
    }

    /** Deletes the snapshots of earlier cycles: those of this cycle are durable and replace them. */
    private void deleteOlder(long cycle) throws IOException {
        for (String name : log.snapshots()) {
            if (cycleOf(name) < cycle) {
                log.deleteSnapshot(name);
            }
        }
    }

    /** The cycle of a checkpoint's snapshot; {@link Long#MAX_VALUE} for other names. */
    public static long cycleOf(String snapshot) {
        Matcher name = OF_A_CYCLE.matcher(snapshot);
        return name.matches() ? Long.parseLong(name.group(1)) : Long.MAX_VALUE;
    }

    /** Restores queue table and views from the last checkpoint. */
    public void restore(Collection<? extends View> views) throws IOException {
        Manifest current = manifest.current();
        if (current.cycle() == 1) {
            return;
        }
        String ending = String.valueOf(current.cycle() - 1);
        load(QUEUES + ending, in -> QueueSnapshot.read(new BufferedInputStream(Channels.newInputStream(in)), table));
        List<? extends View> withSnapshot = views.stream()
                .filter(view -> current.viewLsns().containsKey(view.id()))
                .toList();
        for (View view : withSnapshot) {
            load(VIEW + view.id() + "-" + ending, view::load);
        }
    }

    private void load(String name, CommitLog.SnapshotReader reader) throws IOException {
        if (!log.loadSnapshot(name, reader)) {
            throw new StartRefusedException("log/" + name + ".snapshot is missing, which the manifest names");
        }
    }
}

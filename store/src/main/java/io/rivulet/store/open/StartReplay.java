package io.rivulet.store.open;

import io.rivulet.store.BatchGate;
import io.rivulet.store.ReplayListener;
import io.rivulet.store.View;
import io.rivulet.store.checkpoint.Manifest;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.io.StartRefusedException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.maintenance.ReplayResult;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.sweep.Sweeper;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.view.BrokenInvariantException;
import io.rivulet.store.view.Replayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replay of a start: applies the log from the checkpoint to its end, and tells the clock the last time in the log.
 * Sweeps the tail if it is too small.
 *
 * <p>Owned by: the thread that opens the store.
 */
final class StartReplay {
    private static final Logger LOG = LoggerFactory.getLogger(StartReplay.class);

    private final StoreEnvironment environment;
    private final Manifest manifest;
    private final CommitLog log;
    private final QueueTable table;
    private final Tail tail;
    private final Sweeper sweeper;
    private final long stepBytes;
    private long bytes;
    private long firstTimestamp;
    private Manifest.Time last;

    /** @param stepBytes how much is swept at once if the tail is too small */
    StartReplay(
            StoreEnvironment environment,
            Manifest manifest,
            CommitLog log,
            QueueTable table,
            Tail tail,
            Sweeper sweeper,
            long stepBytes) {
        this.environment = environment;
        this.manifest = manifest;
        this.last = manifest.time();
        this.log = log;
        this.table = table;
        this.tail = tail;
        this.sweeper = sweeper;
        this.stepBytes = stepBytes;
    }

    /**
     * Replays into table, tail and views.
     *
     * @throws StartRefusedException if log and snapshots do not match: they were copied at different times
     */
    ReplayResult replay(
            Collection<? extends View> views, @Nullable BatchGate gate, HugeBatches huge, ReplayListener listener)
            throws IOException {
        long startedNanos = System.nanoTime();
        firstTimestamp = environment.clock().stampMillis();
        try {
            apply(new Replayer(table, tail, views, gate, huge, manifest.viewLsns(), this::makeRoom), listener);
        } catch (BrokenInvariantException e) {
            throw new StartRefusedException("log and snapshots do not fit together: " + e.getMessage(), e);
        }
        environment.clock().opened(last.earlierMillis(), last.laterMillis());
        sweeper.abandonFile();
        ReplayResult replayed = new ReplayResult(bytes, firstTimestamp, System.nanoTime() - startedNanos);
        requireNoFailure();
        return replayed;
    }

    private void apply(Replayer replayer, ReplayListener listener) throws IOException {
        long fromLsn = manifest.replayLsn();
        try (ReplayMemory memory = new ReplayMemory(tail, environment.workers())) {
            long endLsn = log.writtenLsn();
            long allBytes = log.bytesBetween(fromLsn, endLsn);
            ReplayProgress progress = new ReplayProgress(allBytes, System::nanoTime, LOG::info);
            memory.stillToReplay(allBytes);
            log.replay(fromLsn, group -> {
                long doneBytes = log.bytesBetween(fromLsn, group.lsn());
                memory.stillToReplay(allBytes - doneBytes);
                progress.at(doneBytes);
                listener.replaying(doneBytes, allBytes);
                int length = group.body().limit();
                replayer.apply(group.lsn(), group.timestamp(), group.body(), length);
                firstTimestamp = bytes == 0 ? group.timestamp() : firstTimestamp;
                last = new Manifest.Time(group.timestamp(), group.doubtMillis());
                bytes += length;
            });
            String end = progress.end(table.liveQueues());
            if (progress.isLong()) {
                LOG.info(end);
            } else {
                LOG.debug(end);
            }
        }
    }

    private void makeRoom() {
        try {
            log.begin();
            sweeper.sweep(stepBytes);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the tail is too small for what is replayed, and sweeping it failed: " + e.getMessage(), e);
        }
    }

    /** Threads that help with the replay report failures to the latch only. */
    private void requireNoFailure() throws IOException {
        Throwable cause = environment.failures().cause();
        if (cause != null) {
            throw new IOException("the store has failed while it was opened: " + cause, cause);
        }
    }
}

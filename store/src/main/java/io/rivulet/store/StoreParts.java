package io.rivulet.store;

import io.rivulet.store.cache.PageCache;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.DirectoryLock;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.Workers.Worker;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.retention.RetentionTable;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.time.StoreClock;
import io.rivulet.store.upkeep.BlockStock;
import io.rivulet.store.upkeep.ReplayedLog;
import io.rivulet.store.upkeep.Upkeep;
import io.rivulet.store.writer.LogWriter;
import java.io.IOException;

/** What an open store consists of, and in which order it is closed. Immutable. */
record StoreParts(
        AutoCloseable ticker,
        DirectoryLock lock,
        CommitLog log,
        QueueTable table,
        RetentionTable retentionTable,
        Tail tail,
        PageCache cache,
        BlockStock stock,
        Upkeep upkeep,
        Worker upkeepWorker,
        LogWriter writer,
        RoomBell room,
        FailureLatch failure,
        ReplayedLog replayed,
        StoreClock clock,
        long timestampBase)
        implements AutoCloseable {
    @Override
    public void close() throws IOException {
        upkeep.endSoon();
        stopTicking();
        // While one of these hangs it may still write, so the files stay open, and the directory locked.
        upkeepWorker.close();
        writer.closeThread();
        try (lock;
                log;
                stock) {
            upkeep.stop();
            writer.close();
        }
    }

    private void stopTicking() throws IOException {
        try {
            ticker.close();
        } catch (Exception e) {
            throw new IOException("the clock of the store does not stop", e);
        }
    }
}

package io.rivulet.store.open;

import io.rivulet.store.cache.PageCache;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.huge.HugeWriter;
import io.rivulet.store.io.DirectoryLock;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.maintenance.BlockRegistry;
import io.rivulet.store.maintenance.Maintenance;
import io.rivulet.store.maintenance.ReplayResult;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.retention.RetentionTable;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.thread.Workers.Worker;
import io.rivulet.store.time.StoreClock;
import io.rivulet.store.writer.LogWriter;
import java.io.IOException;

/** The parts of an open store, and the order in which they are closed. Immutable. */
record StoreParts(
        AutoCloseable ticker,
        LogLocation location,
        DirectoryLock lock,
        CommitLog log,
        QueueTable table,
        RetentionTable retentionTable,
        Tail tail,
        PageCache cache,
        BlockRegistry registry,
        HugeBatches huge,
        HugeWriter hugeWriter,
        Maintenance maintenance,
        Worker maintenanceWorker,
        LogWriter writer,
        StoreSignals signals,
        FailureLatch failure,
        ReplayResult replayed,
        StoreClock clock,
        long timestampBase)
        implements AutoCloseable {
    @Override
    public void close() throws IOException {
        maintenance.stopSoon();
        stopTicking();
        // A thread that hangs may still write, so the files stay open and the directory stays locked.
        maintenanceWorker.close();
        hugeWriter.close();
        writer.closeThread();
        try (location;
                lock;
                log;
                registry) {
            maintenance.stop();
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

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final Logger LOG = LoggerFactory.getLogger(StoreParts.class);

    /**
     * Call it once.
     *
     * @throws IllegalStateException if a thread hangs; the rest is closed when it has ended
     */
    @Override
    public void close() throws IOException {
        maintenance.stopSoon();
        log.closeSoon();
        stopTicking();
        try {
            endThreads();
        } catch (IllegalStateException e) {
            failure.thread("store-close", this::closeLater).start();
            throw e;
        }
        closeFiles();
    }

    /** @throws IllegalStateException if one of them hangs */
    private void endThreads() {
        maintenanceWorker.close();
        hugeWriter.close();
        writer.closeThread();
    }

    private void closeFiles() throws IOException {
        try (location;
                lock;
                log;
                registry) {
            maintenance.stop();
            writer.close();
        }
    }

    /**
     * A thread that hangs may still write, so the files stay open and the directory stays locked until it has ended. If
     * it only waits for other machines, this process can open the store again afterwards.
     */
    private void closeLater() {
        while (!haveThreadsEnded()) {
            LOG.debug("A thread of a store that is to be closed still runs");
        }
        try {
            closeFiles();
            LOG.info("A store is closed now: its threads have ended");
        } catch (IOException | RuntimeException e) {
            LOG.warn("A store was not closed as it should be, after its threads had ended", e);
        }
    }

    private boolean haveThreadsEnded() {
        try {
            endThreads();
            return true;
        } catch (IllegalStateException e) {
            return false;
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

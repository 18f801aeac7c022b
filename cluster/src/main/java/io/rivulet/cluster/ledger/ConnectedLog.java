package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A log on an engine of its own: closes the engine, and names the address in messages. Thread-safe. */
public final class ConnectedLog implements LogLocation {
    private final String address;
    private final Engine engine;
    private final LogLocation log;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    public ConnectedLog(String address, Engine engine, String name, Disk disk, LedgerLogConfig config) {
        this.address = address;
        this.engine = engine;
        this.log = new LedgerLogLocation(engine, name, disk, config);
    }

    @Override
    public boolean exists() throws IOException {
        try {
            return log.exists();
        } catch (IOException e) {
            throw at(e);
        }
    }

    @Override
    public CommitLog open(LogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
            throws IOException {
        try {
            return log.open(config, wakeUp, workers, failures);
        } catch (IOException e) {
            throw at(e);
        }
    }

    private IOException at(IOException e) {
        return new IOException("the log at " + address + ": " + e.getMessage(), e);
    }

    /** Further calls do nothing. */
    @Override
    public void close() throws IOException {
        if (isClosed.compareAndSet(false, true)) {
            engine.close();
        }
    }
}

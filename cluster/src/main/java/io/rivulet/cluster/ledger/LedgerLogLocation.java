package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.thread.Workers;
import java.io.IOException;

/** A log on an engine, with its snapshots on a disk. */
public final class LedgerLogLocation implements LogLocation {
    private final Engine engine;
    private final String name;
    private final Disk snapshots;
    private final LedgerLogConfig config;

    /**
     * @param name of the log on the engine
     * @param snapshots a directory for them alone
     */
    public LedgerLogLocation(Engine engine, String name, Disk snapshots, LedgerLogConfig config) {
        this.engine = engine;
        this.name = name;
        this.snapshots = snapshots;
        this.config = config;
    }

    @Override
    public boolean exists() throws IOException {
        return engine.load(name) != null;
    }

    /** Also makes the caller the owner: the owner before, if it still lives, appends nothing any more. */
    @Override
    public CommitLog open(LogConfig log, Runnable wakeUp, Workers workers, FailureLatch failures) throws IOException {
        return LedgerCommitLog.open(engine, name, snapshots, config, log, wakeUp, workers, failures);
    }
}

package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.Engine.Versioned;
import io.rivulet.store.checkpoint.ManifestStore;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogService;
import io.rivulet.store.log.SnapshotFiles;
import io.rivulet.store.log.local.LocalLogLocation;
import io.rivulet.store.thread.Workers;
import java.io.IOException;

/**
 * A log on an engine, with its snapshots in a folder of the store's directory.
 *
 * <p>An opening stops the owner before. So a directory that does not belong to the log is refused before that: the
 * manifest is durable before the first ledger is made, so a log with ledgers has a directory with its manifest. Of a
 * shared log, it has one or several, and a directory without a manifest becomes one of them.
 */
public final class LedgerLogLocation implements LogLocation {
    private final Engine engine;
    private final String name;
    private final Disk root;
    private final LedgerLogConfig config;

    /**
     * @param name of the log on the engine
     * @param root the store's directory
     */
    public LedgerLogLocation(Engine engine, String name, Disk root, LedgerLogConfig config) {
        this.engine = engine;
        this.name = name;
        this.root = root;
        this.config = config;
    }

    /** @throws IOException also if the store's directory has another log, or the log has another directory */
    @Override
    public boolean exists() throws IOException {
        if (root.exists(LocalLogLocation.FOLDER)) {
            throw new IOException(root.describe() + " has a log of its own, in the folder " + LocalLogLocation.FOLDER
                    + ": a log stays where it was made. Use another data directory");
        }
        Versioned found = engine.load(name);
        if (found == null) {
            if (hasManifest(0)) {
                throw new IOException("there is no log " + name + " on these machines, yet " + root.describe()
                        + " belongs to one. Use the machines and the name that it was made with");
            }
            return false;
        }
        LogRecord record = LogRecord.decode(name, found.bytes());
        if (record.isShared() != config.isShared()) {
            throw new IOException("the log " + name + " was made for "
                    + (record.isShared() ? "brokers that take it over" : "one broker and its data directory")
                    + ": use it that way, or another name for a new log");
        }
        boolean hasManifest = hasManifest(record.storeId());
        if (record.hasHadLedgers() && !hasManifest && !record.isShared()) {
            throw new IOException("the log " + name + " belongs to another data directory than " + root.describe()
                    + ". Use that directory, or another name for a new log");
        }
        return true;
    }

    /** @param storeId 0 for any */
    private boolean hasManifest(long storeId) throws IOException {
        if (!root.exists(LogService.FOLDER)) {
            return false;
        }
        SnapshotFiles snapshots = new SnapshotFiles(root.directory(LogService.FOLDER), storeId);
        if (storeId == 0) {
            return snapshots.list().contains(ManifestStore.NAME);
        }
        try {
            return snapshots.load(ManifestStore.NAME, ManifestStore::read);
        } catch (DamagedLogException e) {
            throw new IOException(
                    LogService.FOLDER + "/" + ManifestStore.NAME + " in " + root.describe()
                            + " is damaged, or belongs to another log than " + name,
                    e);
        }
    }

    /** Also makes the caller the owner: the owner before, if it still lives, appends nothing any more. */
    @Override
    public CommitLog open(LogConfig log, Runnable wakeUp, Workers workers, FailureLatch failures) throws IOException {
        return LedgerCommitLog.open(
                engine, name, root.directory(LogService.FOLDER), config, log, wakeUp, workers, failures);
    }
}

package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.Engine.Versioned;
import io.rivulet.store.failure.OwnerChangedException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.function.UnaryOperator;

/** The record of a log, as its owner last wrote it. Thread-safe: one decision after the other. */
final class OwnedRecord {
    /** Two openings at the same moment are rare. */
    private static final int ATTEMPTS = 10;

    private final Engine engine;
    private final String name;
    private int version;
    /** The answer to the last decision was lost. */
    private boolean isUnsure;

    private volatile LogRecord record;

    private OwnedRecord(Engine engine, String name, int version, LogRecord record) {
        this.engine = engine;
        this.name = name;
        this.version = version;
        this.record = record;
    }

    /**
     * Makes the caller the owner, with a new epoch. Creates the record of a new log.
     *
     * @param isShared of a new log
     */
    static OwnedRecord claim(Engine engine, String name, boolean isShared) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Versioned found = engine.load(name);
            LogRecord before = found == null
                    ? LogRecord.first(new SecureRandom().nextLong(), isShared)
                    : LogRecord.decode(name, found.bytes());
            LogRecord claimed = before.claimed();
            int version = engine.swap(name, found == null ? Engine.NO_VERSION : found.version(), claimed.encode());
            if (version != Engine.NO_VERSION) {
                return new OwnedRecord(engine, name, version, claimed);
            }
        }
        throw new IOException("the log " + name + " is opened by others again and again");
    }

    String name() {
        return name;
    }

    LogRecord record() {
        return record;
    }

    /** @throws OwnerChangedException if another client has opened the log */
    synchronized void decide(UnaryOperator<LogRecord> change) throws IOException {
        if (isUnsure) {
            requireOwned();
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            LogRecord changed = change.apply(record);
            isUnsure = true;
            int swapped = engine.swap(name, version, changed.encode());
            isUnsure = false;
            if (swapped != Engine.NO_VERSION) {
                version = swapped;
                record = changed;
                return;
            }
            requireOwned(); // What was read before may have been old.
        }
        throw new OwnerChangedException(name);
    }

    /**
     * Takes over what the record is now. Each opening has another epoch; so with the same one, whatever has changed is
     * a decision of this owner whose answer was lost.
     *
     * @throws OwnerChangedException if another client has opened the log
     */
    synchronized void requireOwned() throws IOException {
        Versioned found = engine.load(name);
        LogRecord now = found == null ? null : LogRecord.decode(name, found.bytes());
        if (found == null || now == null || now.epoch() != record.epoch() || now.storeId() != record.storeId()) {
            throw new OwnerChangedException(name);
        }
        version = found.version();
        record = now;
        isUnsure = false;
    }
}

package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.Engine.Versioned;
import io.rivulet.store.failure.OwnerChangedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.function.UnaryOperator;

/** The record of a log, as its owner last wrote it. Thread-safe: one decision after the other. */
final class OwnedRecord {
    /** Two openings at the same moment are rare. */
    private static final int ATTEMPTS = 10;

    private final Engine engine;
    private final String name;
    /** Of the record, on the engine. */
    private Versioned state;
    /** The answer to the last decision was lost. */
    private boolean isUnsure;

    private volatile LogRecord record;

    private OwnedRecord(Engine engine, String name, Versioned state, LogRecord record) {
        this.engine = engine;
        this.name = name;
        this.state = state;
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
            ByteBuffer bytes = claimed.encode();
            int version = engine.swap(name, found, bytes);
            if (version != Engine.NO_VERSION) {
                return new OwnedRecord(engine, name, new Versioned(version, bytes), claimed);
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
            ByteBuffer bytes = changed.encode();
            isUnsure = true;
            int swapped = engine.swap(name, state, bytes);
            isUnsure = false;
            if (swapped != Engine.NO_VERSION) {
                state = new Versioned(swapped, bytes);
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
        state = found;
        record = now;
        isUnsure = false;
    }
}

package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Ledger;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ledger of an open log.
 *
 * <p>Guarded by a count of users: the log is one until it trims the ledger, and each read is one while it lasts. The
 * thread that brings it to zero calls {@code unused}; then the ledger may be deleted.
 */
final class LogLedger {
    private static final Logger LOG = LoggerFactory.getLogger(LogLedger.class);
    private static final long UNKNOWN = -1;

    private final int ordinal;
    private final Ledger ledger;
    private final long storeId;
    private final Runnable unused;
    private final AtomicInteger users = new AtomicInteger(1);
    private volatile boolean ended;
    /** The end of the last whole group. */
    private volatile long endLsn = UNKNOWN;

    /** @param ended whether it gets no more entries */
    LogLedger(int ordinal, Ledger ledger, boolean ended, long storeId, Runnable unused) {
        this.ended = ended;
        this.ordinal = ordinal;
        this.ledger = ledger;
        this.storeId = storeId;
        this.unused = unused;
    }

    int ordinal() {
        return ordinal;
    }

    Ledger ledger() {
        return ledger;
    }

    long firstLsn() {
        return Lsns.of(ordinal, 0);
    }

    /** The end of the last whole group of a ledger that has ended; {@link #firstLsn} if there is none. */
    long endLsn() throws IOException {
        if (endLsn == UNKNOWN) {
            endLsn = LedgerEnd.find(this, storeId);
        }
        return endLsn;
    }

    /** The log has written it to its end. */
    void ended(long lsn) {
        endLsn = lsn;
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    boolean retain() {
        int seen = users.get();
        while (seen > 0 && !users.compareAndSet(seen, seen + 1)) {
            seen = users.get();
        }
        return seen > 0;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            unused.run();
        }
    }

    boolean isUnused() {
        return users.get() == 0;
    }

    void close() {
        try {
            ledger.close();
        } catch (IOException e) {
            LOG.info("{} will be closed by the next opening: {}", name(), e.getMessage());
        }
    }

    String name() {
        return "ledger " + ledger.id();
    }
}

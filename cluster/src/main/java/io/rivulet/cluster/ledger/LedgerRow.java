package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.store.failure.OwnerChangedException;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.TrimmedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of an open log, and those trimmed but not yet deleted.
 *
 * <p>{@code row} is immutable and published by a volatile write; it changes under {@code this}, after the record.
 * {@link #work()} deletes ledgers, on log-ledgers.
 */
final class LedgerRow {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRow.class);

    private final Engine engine;
    private final OwnedRecord record;
    private final ArrayDeque<Long> unneeded = new ArrayDeque<>();
    /** Still in the record. */
    private final List<Long> deleted = new ArrayList<>();

    private final ArrayDeque<LogLedger> trimmed = new ArrayDeque<>();
    /** In the record, without entries: an owner ended before it wrote to them. */
    private List<LogRecord.Part> empty = List.of();

    private volatile List<LogLedger> row = List.of();
    private Runnable signal = () -> {};

    LedgerRow(Engine engine, OwnedRecord record) {
        this.engine = engine;
        this.record = record;
    }

    /** Fences every ledger, so that nothing is appended to the log any more, and opens it. */
    void recover() throws IOException {
        List<LogLedger> found = new ArrayList<>();
        List<LogRecord.Part> withoutEntries = new ArrayList<>();
        for (LogRecord.Part part : record.record().ledgers()) {
            Ledger ledger = engine.recover(part.id());
            if (ledger.entryCount() == 0) {
                withoutEntries.add(part);
                ledger.close();
            } else {
                found.add(logLedger(part.ordinal(), ledger, true));
            }
        }
        row = List.copyOf(found);
        empty = List.copyOf(withoutEntries);
        unneeded.addAll(record.record().unneeded());
    }

    private LogLedger logLedger(int ordinal, Ledger ledger, boolean ended) {
        return new LogLedger(ordinal, ledger, ended, record.record().storeId(), () -> signal.run());
    }

    /** Call it before the first use of other threads. */
    void start(Runnable workSignal) {
        signal = workSignal;
        workSignal.run();
    }

    /** The end of the last whole group. */
    long endLsn() throws IOException {
        List<LogLedger> seen = row;
        for (int i = seen.size() - 1; i >= 0; i--) {
            LogLedger ledger = seen.get(i);
            if (ledger.endLsn() > ledger.firstLsn()) {
                return ledger.endLsn();
            }
        }
        return trimmedLsn();
    }

    List<LogLedger> ledgers() {
        return row;
    }

    long trimmedLsn() {
        return record.record().trimmedLsn();
    }

    /** Enters the id of a ledger that will be made: an owner that ends in between leaves none that the record lacks. */
    synchronized void note(long id) throws IOException {
        decide(owned -> owned.withUnneeded(id));
    }

    private void decide(UnaryOperator<LogRecord> change) throws IOException {
        List<Long> done = List.copyOf(deleted);
        record.decide(owned -> change.apply(owned.withoutUnneeded(done)));
        deleted.removeAll(done);
    }

    /** Enters the ledger into the record as the last one. After a failure it is there or not; a repetition is safe. */
    synchronized LogLedger add(Ledger ledger) throws IOException {
        List<Integer> droppedOrdinals =
                empty.stream().map(LogRecord.Part::ordinal).toList();
        decide(owned -> owned.without(droppedOrdinals).with(ledger.id()));
        LogLedger added = logLedger(record.record().lastOrdinal(), ledger, false);
        empty.forEach(part -> unneeded.add(part.id()));
        empty = List.of();
        List<LogLedger> more = new ArrayList<>(row);
        more.add(added);
        row = List.copyOf(more);
        if (!unneeded.isEmpty()) {
            signal.run();
        }
        return added;
    }

    /** Trims ledgers that have only groups before this lsn. What can't be decided now is left to a later call. */
    void trimBefore(long lsn) throws IOException {
        try {
            trim(lsn);
        } catch (OwnerChangedException | DamagedLogException e) {
            throw e;
        } catch (IOException e) {
            LOG.warn("The log is not trimmed yet: {}", e.getMessage());
        }
    }

    private synchronized void trim(long lsn) throws IOException {
        List<LogLedger> old = new ArrayList<>();
        long trimmedLsn = trimmedLsn();
        for (LogLedger ledger : row) {
            if (!ledger.hasEnded() || ledger.endLsn() > lsn) {
                break;
            }
            old.add(ledger);
            trimmedLsn = ledger.endLsn() > ledger.firstLsn() ? ledger.endLsn() : trimmedLsn;
        }
        if (old.isEmpty()) {
            return;
        }
        long newTrimmedLsn = trimmedLsn;
        List<Integer> ordinals = old.stream().map(LogLedger::ordinal).toList();
        decide(owned -> owned.trimmed(newTrimmedLsn, ordinals));
        row = List.copyOf(row.subList(old.size(), row.size()));
        trimmed.addAll(old);
        old.forEach(LogLedger::release);
    }

    /** The ledger with this lsn, retained: the caller releases it. */
    LogLedger retain(long lsn) throws IOException {
        List<LogLedger> seen = row;
        for (int i = seen.size() - 1; i >= 0; i--) {
            LogLedger ledger = seen.get(i);
            if (ledger.ordinal() == Lsns.ordinal(lsn) && ledger.retain()) {
                return ledger;
            }
        }
        if (lsn < trimmedLsn() || seen.isEmpty() || lsn < seen.get(0).firstLsn()) {
            throw new TrimmedException(lsn, firstLsn(trimmedLsn()));
        }
        throw new DamagedLogException("the log", lsn, "no ledger has lsn " + Long.toHexString(lsn));
    }

    /** All ledgers from the one with this lsn on, retained: the caller releases them. */
    List<LogLedger> retainFrom(long lsn) throws TrimmedException {
        List<LogLedger> retained = new ArrayList<>();
        for (LogLedger ledger : row) {
            if (ledger.ordinal() < Lsns.ordinal(lsn)) {
                continue;
            }
            if (!ledger.retain()) {
                retained.forEach(LogLedger::release);
                throw new TrimmedException(lsn, firstLsn(trimmedLsn()));
            }
            retained.add(ledger);
        }
        if (lsn < trimmedLsn()) {
            retained.forEach(LogLedger::release);
            throw new TrimmedException(lsn, firstLsn(trimmedLsn()));
        }
        return retained;
    }

    /** @param endLsn of the log; the answer if there is no ledger */
    long firstLsn(long endLsn) {
        List<LogLedger> seen = row;
        return seen.isEmpty() ? endLsn : seen.get(0).firstLsn();
    }

    long sizeBytes() {
        return row.stream().mapToLong(ledger -> ledger.ledger().lengthBytes()).sum();
    }

    /** About how many bytes are between two lsns, as if all entries of a ledger were of the same length. */
    long bytesBetween(long fromLsn, long untilLsn) {
        double bytes = 0;
        for (LogLedger ledger : row) {
            double entries = Math.max(1, ledger.ledger().entryCount());
            double from = part(fromLsn, ledger.ordinal(), entries);
            double until = part(untilLsn, ledger.ordinal(), entries);
            bytes += (until - from) * ledger.ledger().lengthBytes();
        }
        return Math.max(0, (long) bytes);
    }

    /** Which part of the ledger is before the lsn. */
    private static double part(long lsn, int ordinal, double entries) {
        int at = Lsns.ordinal(lsn);
        double within = Math.min(1, Lsns.entryId(lsn) / entries);
        return at == ordinal ? within : at > ordinal ? 1 : 0;
    }

    // ---- log-ledgers ----

    /** Deletes what nobody needs any more. What can't be deleted stays in the record for the next opening. */
    void work() {
        for (Long id = nextUnneeded(); id != null; id = nextUnneeded()) {
            try {
                engine.delete(id);
                isDeleted(id);
            } catch (IOException e) {
                LOG.warn("Ledger {} stays though nothing needs it: {}", id, e.getMessage());
            }
        }
    }

    private synchronized void isDeleted(long id) {
        deleted.add(id);
    }

    private synchronized @Nullable Long nextUnneeded() {
        trimmed.removeIf(ledger -> {
            boolean unused = ledger.isUnused();
            if (unused) {
                unneeded.add(ledger.ledger().id());
            }
            return unused;
        });
        return unneeded.poll();
    }

    /** Ends the ledgers that this log has written, and lets go of the others. */
    void close() {
        row.forEach(LogLedger::close);
    }
}

package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogCounters;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogGroupPool;
import io.rivulet.store.log.LogRanges;
import io.rivulet.store.log.SnapshotFiles;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit log as a sequence of ledgers. A group is cut into entries; it is durable when its last entry is, so {@code
 * writtenLsn} and {@code durableLsn} are the same, for any {@code Durability}.
 *
 * <p>An opening fences every ledger, for otherwise nobody can say where the log ends. That changes nothing that the log
 * holds.
 *
 * <p>Threads: the log-writer owns the groups; {@link LedgerAppends} and {@link LedgerRow} have rules of their own.
 */
public final class LedgerCommitLog implements CommitLog {
    /** So many groups on their way cost the engine about a quarter for each of what one alone costs. */
    private static final int SMALL_GROUPS_ON_THEIR_WAY = 4;

    private final OwnedRecord record;
    private final LedgerRow row;
    private final LedgerAppends appends;
    private final LedgerReads reads;
    private final LogGroupPool groups;
    private final SnapshotFiles snapshots;
    private final LogCounters counters = new LogCounters();
    private final FailureLatch failures;
    private final LedgerLogConfig config;
    private final Workers.Worker ioWorker;
    private final Workers.Worker deleteWorker;

    /** Groups that the engine may still read. Log-writer thread. */
    private final ArrayDeque<PlacedGroup> held = new ArrayDeque<>();

    private volatile long ledgerSinceNanos;
    private volatile boolean begun;
    private volatile boolean closed;

    static LedgerCommitLog open(
            Engine engine,
            String name,
            Disk snapshots,
            LedgerLogConfig config,
            LogConfig log,
            Runnable wakeUp,
            Workers workers,
            FailureLatch failures)
            throws IOException {
        OwnedRecord record = OwnedRecord.claim(engine, name, config.isShared());
        LedgerRow row = new LedgerRow(engine, record);
        row.recover();
        return new LedgerCommitLog(engine, record, row, snapshots, config, log, wakeUp, workers, failures);
    }

    private LedgerCommitLog(
            Engine engine,
            OwnedRecord record,
            LedgerRow row,
            Disk snapshots,
            LedgerLogConfig config,
            LogConfig log,
            Runnable wakeUp,
            Workers workers,
            FailureLatch failures)
            throws IOException {
        long storeId = record.record().storeId();
        this.record = record;
        this.row = row;
        this.config = config;
        this.failures = failures;
        this.snapshots = new SnapshotFiles(snapshots, storeId);
        this.appends =
                new LedgerAppends(engine, record, row, failures, counters, wakeUp, config.ledgerBytes(), row.endLsn());
        this.groups = new LogGroupPool(log.groupCount(), log.groupBytes(), LogGroupLayout.MIN_ALIGNMENT_BYTES);
        this.reads = new LedgerReads(row, groups, appends, storeId, failures);
        this.ioWorker = workers.start("log-io", () -> failures.guard(appends::work));
        this.deleteWorker = workers.start("log-ledgers", () -> failures.guard(row::work));
        failures.onFailure(wakeUp);
        appends.start(ioWorker::signal);
        row.start(deleteWorker::signal);
    }

    /** The opening has taken the epoch already, and nothing is left to clear. */
    @Override
    public void begin() {
        ledgerSinceNanos = config.clockNanos().getAsLong();
        begun = true;
    }

    @Override
    public @Nullable LogGroup acquireGroup() {
        collect();
        LogGroup group = groups.acquire();
        if (group == null) {
            appends.starved(true);
            collect(); // what became free before the engine knew that somebody waits
            group = groups.acquire();
        }
        if (group != null) {
            appends.starved(false);
        }
        return group;
    }

    /** Returns groups to the pool that both sides have released. */
    private void collect() {
        held.removeIf(placed -> {
            boolean free = placed.isReleased && !placed.isHeld();
            if (free) {
                groups.release(placed.group());
            }
            return free;
        });
    }

    /** The engine may still send the group to the slowest machine; then it returns to the pool afterwards. */
    @Override
    public void releaseGroup(LogGroup group) {
        for (PlacedGroup placed : held) {
            if (placed.group() == group) {
                placed.isReleased = true;
                collect();
                return;
            }
        }
        groups.release(group);
    }

    @Override
    public long append(LogGroup group) throws AppendException {
        Throwable failure = failures.cause();
        if (failure != null) {
            throw refused(AppendException.Reason.LOG_FAILED, "The log failed earlier: " + failure, failure);
        }
        if (closed || !begun) {
            throw refused(AppendException.Reason.CLOSED, closed ? "The log is closed" : "The log has not begun", null);
        }
        if (group.isEmpty() || group.isAppended()) {
            throw new IllegalArgumentException("append needs a group that has a body and is not in the log yet");
        }
        held.add(appends.append(group));
        return group.lsn();
    }

    private AppendException refused(AppendException.Reason reason, String message, @Nullable Throwable cause) {
        counters.refused(1);
        return new AppendException(reason, message, cause);
    }

    @Override
    public boolean withdrawRefused() {
        if (!appends.withdrawRefused()) {
            return false;
        }
        held.removeIf(placed -> !placed.group().isAppended());
        return true;
    }

    @Override
    public boolean forceLeft() {
        return false;
    }

    @Override
    public int smallGroupsOnTheirWay() {
        return SMALL_GROUPS_ON_THEIR_WAY;
    }

    @Override
    public long writtenLsn() {
        return appends.durableLsn();
    }

    @Override
    public long durableLsn() {
        return appends.durableLsn();
    }

    @Override
    public @Nullable Throwable failure() {
        return failures.cause();
    }

    @Override
    public void force() throws IOException {
        ioWorker.signal();
        appends.await();
    }

    @Override
    public void closeSoon() {
        appends.closeSoon();
    }

    @Override
    public void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException {
        reads.read(lsn, bodyIndex, lengthBytes, target);
    }

    @Override
    public int read(LogRanges ranges, ByteBuffer target) throws IOException {
        return reads.read(ranges, target);
    }

    /** Replaces a ledger that is old, or one that could not be replaced when it was full. */
    @Override
    public void check() {
        appends.check();
        long now = config.clockNanos().getAsLong();
        if (!appends.hasBegun()) {
            ledgerSinceNanos = now;
        } else if (now - ledgerSinceNanos >= config.ledgerNanos()) {
            ledgerSinceNanos = now;
            appends.wantLedger();
        }
    }

    @Override
    public void replay(long fromLsn, GroupVisitor visitor) throws IOException {
        reads.replay(fromLsn, visitor);
    }

    @Override
    public boolean isShared() {
        return record.record().isShared();
    }

    /** A ledger is deleted as a whole, and each one costs the machines something. */
    @Override
    public boolean keepsBatches() {
        return false;
    }

    @Override
    public void trimBefore(long lsn) throws IOException {
        if (!isShared()) {
            row.trimBefore(Math.min(lsn, appends.durableLsn()));
        }
    }

    @Override
    public long firstLsn() {
        return row.firstLsn(appends.durableLsn());
    }

    @Override
    public boolean hasAllFrom(long lsn) {
        return lsn >= row.trimmedLsn();
    }

    @Override
    public long sizeBytes() {
        return row.sizeBytes();
    }

    /** How many ledgers it has. */
    public int ledgers() {
        return row.ledgers().size();
    }

    /** How many groups are not acknowledged yet. */
    public int groupsOnTheirWay() {
        return appends.onTheirWay();
    }

    @Override
    public long preparedBytes() {
        return 0;
    }

    @Override
    public long bytesBetween(long fromLsn, long untilLsn) {
        return row.bytesBetween(fromLsn, untilLsn);
    }

    @Override
    public long epoch() {
        return record.record().epoch();
    }

    @Override
    public long storeId() {
        return record.record().storeId();
    }

    @Override
    public void saveSnapshot(String name, SnapshotWriter writer) throws IOException {
        snapshots.save(name, writer);
    }

    @Override
    public boolean loadSnapshot(String name, SnapshotReader reader) throws IOException {
        return snapshots.load(name, reader);
    }

    @Override
    public List<String> snapshots() throws IOException {
        return snapshots.list();
    }

    @Override
    public void deleteSnapshot(String name) throws IOException {
        snapshots.delete(name);
    }

    @Override
    public LogCounters counters() {
        return counters;
    }

    /** Call it after the last append. A failed log is left as it is; the next opening finds its end. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        closeSoon();
        try {
            if (!failures.isSet() && begun) {
                force();
            }
        } finally {
            ioWorker.close();
            deleteWorker.close();
            row.close();
        }
    }
}

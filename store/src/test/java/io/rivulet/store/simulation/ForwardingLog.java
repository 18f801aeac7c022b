package io.rivulet.store.simulation;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogCounters;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.LogRanges;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Forwards to another log; tests override methods to add bugs. */
public class ForwardingLog implements CommitLog {
    private final CommitLog log;

    public ForwardingLog(CommitLog log) {
        this.log = log;
    }

    /** A location whose log is inside another one. */
    public static LogLocation at(LogLocation location, UnaryOperator<CommitLog> around) {
        return new LogLocation() {
            @Override
            public boolean exists() throws IOException {
                return location.exists();
            }

            @Override
            public CommitLog open(LogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
                    throws IOException {
                return around.apply(location.open(config, wakeUp, workers, failures));
            }

            @Override
            public void close() throws IOException {
                location.close();
            }
        };
    }

    @Override
    public void begin() throws IOException {
        log.begin();
    }

    @Override
    public @Nullable LogGroup acquireGroup() {
        return log.acquireGroup();
    }

    @Override
    public void releaseGroup(LogGroup group) {
        log.releaseGroup(group);
    }

    @Override
    public long append(LogGroup group) throws AppendException {
        return log.append(group);
    }

    @Override
    public boolean withdrawRefused() {
        return log.withdrawRefused();
    }

    @Override
    public boolean forceLeft() {
        return log.forceLeft();
    }

    @Override
    public int smallGroupsOnTheirWay() {
        return log.smallGroupsOnTheirWay();
    }

    @Override
    public long writtenLsn() {
        return log.writtenLsn();
    }

    @Override
    public long durableLsn() {
        return log.durableLsn();
    }

    @Override
    public @Nullable Throwable failure() {
        return log.failure();
    }

    @Override
    public void force() throws IOException {
        log.force();
    }

    @Override
    public void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException {
        log.read(lsn, bodyIndex, lengthBytes, target);
    }

    @Override
    public int read(LogRanges ranges, ByteBuffer target) throws IOException {
        return log.read(ranges, target);
    }

    @Override
    public void replay(long fromLsn, GroupVisitor visitor) throws IOException {
        log.replay(fromLsn, visitor);
    }

    @Override
    public boolean isShared() {
        return log.isShared();
    }

    @Override
    public boolean keepsBatches() {
        return log.keepsBatches();
    }

    @Override
    public void trimBefore(long lsn) throws IOException {
        log.trimBefore(lsn);
    }

    @Override
    public long firstLsn() {
        return log.firstLsn();
    }

    @Override
    public boolean hasAllFrom(long lsn) {
        return log.hasAllFrom(lsn);
    }

    @Override
    public long sizeBytes() {
        return log.sizeBytes();
    }

    @Override
    public long preparedBytes() {
        return log.preparedBytes();
    }

    @Override
    public long bytesBetween(long fromLsn, long untilLsn) {
        return log.bytesBetween(fromLsn, untilLsn);
    }

    @Override
    public long epoch() {
        return log.epoch();
    }

    @Override
    public long storeId() {
        return log.storeId();
    }

    @Override
    public void saveSnapshot(String name, SnapshotWriter writer) throws IOException {
        log.saveSnapshot(name, writer);
    }

    @Override
    public boolean loadSnapshot(String name, SnapshotReader reader) throws IOException {
        return log.loadSnapshot(name, reader);
    }

    @Override
    public List<String> snapshots() throws IOException {
        return log.snapshots();
    }

    @Override
    public void deleteSnapshot(String name) throws IOException {
        log.deleteSnapshot(name);
    }

    @Override
    public void check() throws IOException {
        log.check();
    }

    @Override
    public LogCounters counters() {
        return log.counters();
    }

    @Override
    public void closeSoon() {
        log.closeSoon();
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}

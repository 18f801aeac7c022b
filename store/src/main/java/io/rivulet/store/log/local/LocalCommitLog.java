package io.rivulet.store.log.local;

import io.rivulet.store.Durability;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogCounters;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogGroupPool;
import io.rivulet.store.log.LogRanges;
import io.rivulet.store.log.SnapshotFiles;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit log in files of one directory: a row of segments, {@code log.state}, and snapshots.
 *
 * <p>Threads: the log-writer owns {@code active}, its counters, and the groups. {@link Forcer} and {@link SegmentList}
 * have their own rules. Everything else is final.
 *
 * <p>Crash policy: see {@link CommitLog}; for finding the end, {@link LogOpening}.
 */
public final class LocalCommitLog implements CommitLog {
    private static final Logger LOG = LoggerFactory.getLogger(LocalCommitLog.class);

    /** The next segment is prepared when this part of the last one is used. An idle log prepares nothing. */
    private static final int PREPARE_AHEAD_FRACTION = 4;
    /**
     * Up to this size, copying a group into the page cache takes less time than waiting for the disk, if no force
     * follows.
     */
    private static final int CACHED_BYTES = 16 << 10;

    private final Disk disk;
    private final Durability durability;
    private final int inPlaceBytes;
    private final long preparedBytes;
    private final long storeId;
    private final long epoch;
    private final FailureLatch failures;
    private final DiskWait diskWait;
    private final LogCounters counters = new LogCounters();
    private final SegmentList segments;
    private final PendingWrites writes;
    private final Forcer forcer;
    private final LogGroupPool groups;
    private final LogReads reads;
    private final LogReplay replay;
    private final SnapshotFiles snapshots;
    private final Runnable wakeUp;
    private final Workers.Worker writeWorker;
    private final Workers.Worker forceWorker;
    private final Workers.Worker segmentWorker;
    private final int alignmentBytes;
    private final SegmentFiles files;
    private final LogOpening opening;
    private Segment active;
    /** What the opening found has been made durable. */
    private boolean settled;

    /** The epoch is on the disk. */
    private boolean begun;

    private boolean aheadAsked;
    private int groupsInActive;
    private boolean forceIsLeft;
    private volatile boolean closed;

    /** Opens the log in this directory, or creates it. The caller has locked the directory. */
    public static LocalCommitLog open(Disk disk, LocalLogConfig config, Runnable wakeUp) throws IOException {
        FailureLatch failures = new FailureLatch();
        return open(disk, config, wakeUp, Workers.threads(failures), failures);
    }

    public static LocalCommitLog open(Disk disk, LocalLogConfig config, Runnable wakeUp, Workers workers)
            throws IOException {
        return begun(openUnchanged(disk, config, wakeUp, workers, new FailureLatch()));
    }

    private static LocalCommitLog begun(LocalCommitLog log) throws IOException {
        try {
            log.begin();
            return log;
        } catch (IOException | RuntimeException e) {
            log.closeFiles();
            throw e;
        }
    }

    /** Whether nothing was ever trimmed: then a replay of the log restores everything. */
    public boolean isWhole() {
        return firstLsn() == SegmentLayout.HEADER_BYTES;
    }

    /** @param failures shared with others: after the first failure of any of them, nothing is written */
    public static LocalCommitLog open(
            Disk disk, LocalLogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
            throws IOException {
        return begun(openUnchanged(disk, config, wakeUp, workers, failures));
    }

    /** As {@link #open}, but a log with content stays unchanged on the disk until {@link #begin}. */
    public static LocalCommitLog openUnchanged(
            Disk disk, LocalLogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
            throws IOException {
        return openUnchanged(disk, config, wakeUp, workers, failures, new DiskWait(Workers.CLOSE_WAIT_MILLIS));
    }

    static LocalCommitLog openUnchanged(
            Disk disk,
            LocalLogConfig config,
            Runnable wakeUp,
            Workers workers,
            FailureLatch failures,
            DiskWait diskWait)
            throws IOException {
        Disk used = config.durability() == Durability.NONE ? new UnforcedDisk(disk) : disk;
        return new LocalCommitLog(used, config, wakeUp, workers, failures, diskWait);
    }

    /** Opens a log for reading only. */
    public static LocalCommitLog openUnchanged(Disk disk) throws IOException {
        FailureLatch failures = new FailureLatch();
        return openUnchanged(disk, LocalLogConfig.DEFAULT, () -> {}, Workers.threads(failures), failures);
    }

    private LocalCommitLog(
            Disk disk,
            LocalLogConfig config,
            Runnable wakeUp,
            Workers workers,
            FailureLatch failures,
            DiskWait diskWait)
            throws IOException {
        this.disk = disk;
        this.failures = failures;
        this.diskWait = diskWait;
        this.durability = config.durability();
        this.inPlaceBytes = config.inPlaceBytes();
        // Spare segments, the next segment, and the rest of the last.
        this.preparedBytes = (config.spareSegments() + 2) * config.segmentBytes();
        LogState state = loadOrCreateState();
        this.storeId = state.storeId();
        this.epoch = state.epoch() + 1;
        this.files = new SegmentFiles(disk, config, storeId, this::segmentUnused);
        List<Segment> row = files.open();
        this.opening = new LogOpening(disk, state, row);
        Found found = find(row, state);
        this.segments = new SegmentList(files, failures);
        this.wakeUp = wakeUp;
        this.writes = new PendingWrites(
                config.log().groupCount(),
                found.endLsn(),
                failures,
                counters,
                this::writtenBehindTheWriter,
                wakeUp,
                diskWait);
        this.forcer = new Forcer(writes, segments, failures, counters, wakeUp, found.forcedLsn(), diskWait);
        this.snapshots = new SnapshotFiles(disk, storeId);
        failures.onFailure(wakeUp);
        this.forceWorker = workers.start("log-force", () -> failures.guard(forcer::work));
        this.writeWorker = workers.start("log-io", () -> failures.guard(writes::work));
        this.segmentWorker = workers.start("log-segments", () -> failures.guard(segments::work));
        segments.start(found.holding(), found.prepared(), segmentWorker::signal);
        this.active = segments.last();
        this.alignmentBytes =
                Math.max(LogGroupLayout.MIN_ALIGNMENT_BYTES, active.file().alignmentBytes());
        this.groups = new LogGroupPool(config.log().groupCount(), config.log().groupBytes(), alignmentBytes);
        this.reads = new LogReads(segments, groups, writes);
        this.replay = new LogReplay(segments, workers, storeId, epoch, opening.walkedFromLsn());
    }

    /** The log at its opening: segments with groups, segments without, and where the log ends. */
    private record Found(List<Segment> holding, List<Segment> prepared, long endLsn, long forcedLsn) {}

    /** Changes nothing, unless the log is new. */
    private Found find(List<Segment> row, LogState state) throws IOException {
        try {
            long endLsn = opening.findEnd();
            long forcedLsn = durability == Durability.NONE ? state.durableLsn() : endLsn;
            if (row.isEmpty()) {
                new LogState(storeId, state.epoch(), forcedLsn, false).save(disk);
                files.adoptSpares();
                row.add(files.createFirst());
            }
            int holding = SegmentFiles.countHolding(row, endLsn);
            return new Found(row.subList(0, holding), row.subList(holding, row.size()), endLsn, forcedLsn);
        } catch (IOException | RuntimeException e) {
            SegmentFiles.closeAll(row);
            throw e;
        }
    }

    /** Ends with the new epoch on the disk. Without space for it, the first append that finds space writes it. */
    @Override
    public void begin() throws IOException {
        if (settled) {
            return;
        }
        settled = true;
        opening.writeAgain();
        beginIfThereIsRoom();
        files.adoptSpares();
        segments.dropUnfitting();
        prepareAheadOf(writes.writtenLsn());
    }

    private void beginIfThereIsRoom() throws IOException {
        try {
            beginAppends();
        } catch (ShortageException e) {
            LOG.warn("The log is read only until this is over: {}", e.getMessage());
        }
    }

    /** Writes everything that must be on the disk before the first append. */
    private void beginAppends() throws IOException {
        if (!begun) {
            opening.clearTornGroups();
            new LogState(storeId, epoch, forcer.forcedLsn(), false).save(disk);
            begun = true;
        }
    }

    private LogState loadOrCreateState() throws IOException {
        LogState state = LogState.load(disk);
        if (state != null) {
            return state;
        }
        for (String name : disk.list()) {
            if (SegmentLayout.isSegment(name) || SnapshotFiles.isSnapshot(name)) {
                throw new DamagedLogException(LogState.NAME, 0, "the file is missing, yet there is " + name);
            }
        }
        return new LogState(new SecureRandom().nextLong(), 0, SegmentLayout.HEADER_BYTES, false);
    }

    private void segmentUnused() {
        segmentWorker.signal();
    }

    @Override
    public @Nullable LogGroup acquireGroup() {
        return groups.acquire();
    }

    @Override
    public void releaseGroup(LogGroup group) {
        groups.release(group);
    }

    /** Places the group, then writes it: on this thread if the group is small and alone, else on log-io. */
    @Override
    public long append(LogGroup group) throws AppendException {
        refuseUnlessWritable(group);
        try {
            beginAppends();
            int length = group.paddedLength();
            long previousEndLsn = writes.appendedLsn();
            long lsn = placeFor(length, previousEndLsn);
            group.place(lsn, storeId, epoch, previousEndLsn, forcer.forcedLsn());
            if (length <= inPlaceBytes && writes.isIdle()) {
                writeInPlace(group);
            } else {
                handOver(group);
            }
            groupsInActive++;
            prepareAheadOf(lsn + length);
            return lsn;
        } catch (ShortageException e) {
            throw refused(AppendException.Reason.DISK_FULL, "Nothing was appended: " + e.getMessage(), e);
        } catch (IOException e) {
            failures.fail(e);
            throw new AppendException(
                    AppendException.Reason.WRITE_FAILED, "The write failed, and the log with it", failures.cause());
        }
    }

    private void writeInPlace(LogGroup group) throws IOException {
        boolean alone = forceIsLeft || forcer.isAllForced();
        writes.writeInPlace(group, active, durability != Durability.FSYNC && group.paddedLength() <= CACHED_BYTES);
        if (durability == Durability.FSYNC) {
            forceIsLeft = alone;
            if (!alone) {
                forceWorker.signal();
            }
        }
    }

    private void handOver(LogGroup group) {
        if (forceIsLeft) {
            forceIsLeft = false;
            forceWorker.signal();
        }
        writes.add(group, active);
        writeWorker.signal();
    }

    private void writtenBehindTheWriter() {
        if (durability == Durability.FSYNC) {
            forceWorker.signal();
        }
        wakeUp.run();
    }

    @Override
    public boolean withdrawRefused() {
        PendingWrites.Write first = writes.refused();
        if (first == null) {
            return false;
        }
        active = first.segment();
        segments.unrollTo(active);
        writes.withdraw();
        return true;
    }

    private void refuseUnlessWritable(LogGroup group) throws AppendException {
        Throwable failure = failures.cause();
        if (failure != null) {
            throw refused(AppendException.Reason.LOG_FAILED, "The log failed earlier: " + failure, failure);
        }
        if (closed || !settled) {
            throw refused(AppendException.Reason.CLOSED, closed ? "The log is closed" : "The log has not begun", null);
        }
        if (group.isEmpty() || group.isAppended()) {
            throw new IllegalArgumentException("append needs a group that has a body and is not in the log yet");
        }
    }

    private AppendException refused(AppendException.Reason reason, String message, @Nullable Throwable cause) {
        counters.refused(1);
        return new AppendException(reason, message, cause);
    }

    /** A group never spans segments. A segment with another alignment takes no more groups. */
    private long placeFor(int length, long endLsn) throws IOException {
        long lsn = Math.max(endLsn, active.firstLsn());
        boolean fits = lsn + length <= active.limitLsn() && active.address(lsn) % alignmentBytes == 0;
        if (fits) {
            return lsn;
        }
        if (lsn == active.firstLsn()) {
            throw new IllegalStateException("a group of " + length + " bytes does not fit into an empty segment");
        }
        active = segments.roll();
        aheadAsked = false;
        groupsInActive = 0;
        if (durability == Durability.OS) {
            forceWorker.signal();
        }
        return active.firstLsn();
    }

    @Override
    public boolean forceLeft() {
        if (!forceIsLeft) {
            return false;
        }
        forceIsLeft = false;
        failures.guard(forcer::force);
        return true;
    }

    /** A group that is left to the log-writer waits for one more, so that one force covers both. */
    @Override
    public int smallGroupsOnTheirWay() {
        return forceIsLeft ? 2 : 1;
    }

    private void prepareAheadOf(long endLsn) {
        long usedBytes = active.address(endLsn);
        if (!aheadAsked && usedBytes >= active.segmentBytes() / PREPARE_AHEAD_FRACTION) {
            aheadAsked = true;
            segments.prepareAhead(groupsInActive == 0 ? 0 : (int) (usedBytes / groupsInActive), doneLsn());
        }
    }

    @Override
    public long writtenLsn() {
        return writes.writtenLsn();
    }

    @Override
    public long durableLsn() {
        return durability == Durability.FSYNC ? forcer.forcedLsn() : writes.writtenLsn();
    }

    @Override
    public @Nullable Throwable failure() {
        return failures.cause();
    }

    @Override
    public void force() throws IOException {
        writeWorker.signal();
        writes.await();
        if (durability != Durability.NONE) {
            long target = writes.writtenLsn();
            forceWorker.signal();
            forcer.await(target);
        }
    }

    @Override
    public void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException {
        reads.read(lsn, bodyIndex, lengthBytes, target);
    }

    @Override
    public int read(LogRanges ranges, ByteBuffer target) throws IOException {
        return reads.read(ranges, target);
    }

    @Override
    public void replay(long fromLsn, GroupVisitor visitor) throws IOException {
        replay.replay(fromLsn, writes.writtenLsn(), visitor);
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public boolean keepsBatches() {
        return true;
    }

    @Override
    public void trimBefore(long lsn) {
        segments.trimBefore(lsn, doneLsn());
    }

    /** Nothing before this lsn will be written or forced any more. */
    private long doneLsn() {
        return durability == Durability.NONE ? writes.writtenLsn() : forcer.forcedLsn();
    }

    @Override
    public void check() throws IOException {
        segments.check();
    }

    @Override
    public long firstLsn() {
        return segments.segments().get(0).firstLsn();
    }

    @Override
    public boolean hasAllFrom(long lsn) {
        return lsn >= segments.segments().get(0).baseLsn();
    }

    @Override
    public long sizeBytes() {
        return segments.sizeBytes();
    }

    @Override
    public long preparedBytes() {
        return preparedBytes;
    }

    @Override
    public long bytesBetween(long fromLsn, long untilLsn) {
        return untilLsn - fromLsn;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long storeId() {
        return storeId;
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

    @Override
    public void closeSoon() {
        diskWait.limit();
    }

    /** Call it after the last append. A failed log stays unchanged; the next opening checks it. */
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
            closeFiles();
        }
        // A log that has not begun may have a torn group after its end, so its last state stays valid.
        if (!failures.isSet() && begun) {
            boolean clean = forcer.forcedLsn() == writes.writtenLsn();
            saveAtTheEnd(new LogState(storeId, epoch, forcer.forcedLsn(), clean));
        }
    }

    /** Without this the state of the opening stays valid, but the next opening must search for the end. */
    private void saveAtTheEnd(LogState state) throws IOException {
        try {
            state.save(disk);
        } catch (ShortageException e) {
            LOG.warn("The next start must search for the end of the log: {}", e.getMessage());
        }
    }

    private void closeFiles() throws IOException {
        segments.stopPreparing();
        writeWorker.close();
        forceWorker.close();
        segmentWorker.close();
        segments.close();
    }
}

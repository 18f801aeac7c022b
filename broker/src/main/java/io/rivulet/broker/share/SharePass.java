package io.rivulet.broker.share;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareOffsetReset;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.fetch.FetchBuffer;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.Readiness;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.broker.fetch.TimestampSearch;
import io.rivulet.broker.topic.LeaderEpochs;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the ready partitions of a share session: once round, until the answer is full. Each row is claimed,
 * read and acquired. The pass can stop between two partitions and continue with another source.
 *
 * <p>Owned by: the fetch.
 */
final class SharePass {
    private static final Logger LOG = LoggerFactory.getLogger(SharePass.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    /** The number of partitions that an event loop visits before a read thread continues. */
    private static final int VISITS_AT_ONCE = 64;

    private static final int BYTES_AT_ONCE = 256 << 10;
    private static final int NO_SLOT = -1;
    private static final int BEGUN_AT_ONCE = 4096;

    /** An answer looks at no more owed partitions than these. The next answers continue. */
    private static final int OWED_AT_ONCE = 1024;

    /** What the client wants. Immutable. */
    record Wanted(String member, int maxRecords, int batchRecords, boolean strict) {}

    /** What the pass has for a partition. Immutable. */
    record Found(
            int slot,
            FetchSession.NamedTopic topic,
            int partition,
            int queueId,
            ErrorCode error,
            @Nullable Records records,
            List<Acquired> acquired) {}

    private final ShareFetchParts parts;
    private final ShareSession session;
    private final Readiness readiness;
    private final Access access;
    private final ShareGroupConfig config;
    private final Limits limits;
    private final Wanted wanted;
    private final int grantedBytes;
    private final FetchBuffer buffer;
    private final ReadBatches batches = new ReadBatches();
    private final List<Found> found = new ArrayList<>();
    private final List<RowImage> begun = new ArrayList<>();
    private final int first;
    private int next;
    private boolean wrapped;
    private int lastServed = NO_SLOT;
    private long records;
    private int unreadable;
    private boolean failed;
    private boolean passedHoles;

    // The present partition.
    private ErrorCode error = ErrorCode.NONE;

    SharePass(
            ShareFetchParts parts,
            ShareSession session,
            Access access,
            ShareGroupConfig config,
            Wanted wanted,
            ByteBufAllocator allocator,
            int grantedBytes) {
        this.parts = parts;
        this.session = session;
        this.readiness = session.partitions.readiness();
        this.access = access;
        this.config = config;
        this.limits = ShareGroups.limits(config);
        this.wanted = wanted;
        this.grantedBytes = grantedBytes;
        this.buffer = new FetchBuffer(allocator, LeaderEpochs.CURRENT);
        this.first = readiness.turn();
        this.next = first;
    }

    /** Reads from the tail. False if the rest needs a read thread. */
    boolean readTail(StoreReader reader) {
        int visits = 0;
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            boolean isLong = visits++ == VISITS_AT_ONCE || buffer.total() >= BYTES_AT_ONCE;
            if (isLong || !visit(slot, reader, reader::readTail, false)) {
                next = slot;
                readiness.setReady(slot);
                return false;
            }
        }
        appendBegun();
        return true;
    }

    /** Reads the rest. */
    void readAll(StoreReader reader) {
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            boolean unused = visit(slot, reader, reader::read, true);
        }
        appendBegun();
    }

    private int nextSlot() {
        if (buffer.missingBytes() > 0 || isFull()) {
            return NO_SLOT;
        }
        int slot = readiness.next(next);
        if (slot < 0 && !wrapped) {
            wrapped = true;
            slot = readiness.next(0);
        }
        if (slot < 0 || (wrapped && slot >= first)) {
            next = wrapped ? first : next;
            wrapped = true;
            return NO_SLOT;
        }
        next = slot + 1;
        return slot;
    }

    private boolean isFull() {
        return records >= wanted.maxRecords() || (buffer.total() > 0 && buffer.total() >= grantedBytes);
    }

    /** False if the source does not have the records of the partition. */
    private boolean visit(int slot, StoreReader reader, FetchBuffer.Source source, boolean mayWait) {
        readiness.clearReady(slot);
        FetchSession.NamedTopic topic = session.partitions.topicOf(slot);
        int queueId = session.partitions.queueOf(slot);
        error = session.partitions.errorOf(slot, queueId);
        Topic seen = topic.seen();
        if (seen != null && !access.isUnlimited() && !access.mayTopic(Operation.READ, seen.name())) {
            error = ErrorCode.TOPIC_AUTHORIZATION_FAILED;
        }
        if (error != ErrorCode.NONE) {
            unreadable++;
            addError(slot, queueId);
            return true;
        }
        Claim claim;
        try {
            if (!begin(queueId, reader, mayWait)) {
                return false;
            }
            claim = error == ErrorCode.NONE ? claim(queueId, slot) : null;
        } catch (IOException e) {
            claim = null;
            cannotRead(queueId, e);
        }
        if (claim == null) {
            if (error != ErrorCode.NONE) {
                addError(slot, queueId);
            }
            return true;
        }
        return readClaimed(slot, claim, source);
    }

    /** A partition with an error is answered each time. */
    private void addError(int slot, int queueId) {
        readiness.setReady(slot);
        readiness.owe(slot);
        add(slot, queueId, null, List.of());
    }

    private void add(int slot, int queueId, @Nullable Records read, List<Acquired> acquired) {
        found.add(new Found(
                slot,
                session.partitions.topicOf(slot),
                session.partitions.partitionOf(slot),
                queueId,
                error,
                read,
                acquired));
    }

    private void cannotRead(int queueId, IOException e) {
        LIMIT.log(more -> LOG.error("Queue {} can't be read for a share group{}", queueId, more, e));
        error = ErrorCode.KAFKA_STORAGE_ERROR;
        failed = true;
    }

    // ---- the row ----

    /** Adds a row for the queue, if there is something to acquire. False if that needs a read thread. */
    private boolean begin(int queueId, StoreReader reader, boolean mayWait) throws IOException {
        ShareGroup known = parts.groups().find(session.key.groupId());
        if (known != null) {
            synchronized (known) {
                if (known.startOffset(queueId) != ShareGroup.NO_ROW) {
                    return true;
                }
            }
        }
        ShareOffsetReset reset = config.offsetReset();
        boolean isEarliest = reset.kind() == ShareOffsetReset.Kind.EARLIEST;
        boolean byTime = reset.kind() == ShareOffsetReset.Kind.BY_DURATION;
        if (byTime && !mayWait) {
            return false;
        }
        if (!parts.groups().memory().hasRoomFor(RowRuns.HEAP_BYTES)) {
            error = ErrorCode.POLICY_VIOLATION; // before the search, which may be long
            return true;
        }
        long end = parts.store().endOffset(queueId);
        long start = isEarliest ? parts.store().startOffset(queueId) : byTime ? byTime(queueId, reader, end) : end;
        if (isEarliest && start >= end) {
            return true; // the row is not needed yet
        }
        ShareGroup group = parts.groups().findOrCreate(session.key.groupId());
        synchronized (group) {
            boolean mayBegin = !group.isClosing() && parts.store().exists(queueId);
            if (mayBegin && group.startOffset(queueId) == ShareGroup.NO_ROW) {
                if (!group.create(queueId, start)) {
                    error = ErrorCode.POLICY_VIOLATION;
                } else if (!isEarliest) {
                    begun.add(new RowImage(queueId, start, List.of()));
                }
            }
        }
        if (begun.size() == BEGUN_AT_ONCE) {
            appendBegun();
        }
        return true;
    }

    private long byTime(int queueId, StoreReader reader, long end) throws IOException {
        long timestamp = parts.stampMillis().getAsLong() - config.offsetReset().durationMillis();
        try (TimestampSearch search = new TimestampSearch(parts.maxDecompressedBytes())) {
            TimestampSearch.Found first =
                    search.firstFrom(reader, queueId, parts.store().startOffset(queueId), timestamp);
            return first == null ? end : first.offset();
        }
    }

    private void appendBegun() {
        ShareGroup group = parts.groups().find(session.key.groupId());
        if (group != null && !begun.isEmpty()) {
            parts.groups().appendBegun(group, begun);
        }
        begun.clear();
    }

    private @Nullable Claim claim(int queueId, int slot) {
        ShareGroup group = parts.groups().find(session.key.groupId());
        if (group == null) {
            return null;
        }
        long logEnd = readableEnd(queueId);
        long logStart = parts.store().startOffset(queueId);
        int most = (int) Math.min(Integer.MAX_VALUE, wanted.maxRecords() - records);
        synchronized (group) {
            if (group.startOffset(queueId) == ShareGroup.NO_ROW || group.isClosing()) {
                return null;
            }
            if (!parts.groups().memory().hasRoomFor((long) RowRuns.HEAP_BYTES + Run.HEAP_BYTES)) {
                error = ErrorCode.POLICY_VIOLATION;
                return null;
            }
            return group.claim(queueId, logStart, logEnd, most, limits, session.waiter, slot);
        }
    }

    /** Reads the end offset first: all open transactions below it are known then. */
    private long readableEnd(int queueId) {
        long end = parts.store().endOffset(queueId);
        if (!config.readCommitted()) {
            return end;
        }
        long open = parts.stable().firstOpenOffset(queueId);
        return Math.min(end, open == StableOffsets.NONE_OPEN ? end : open);
    }

    // ---- records ----

    private boolean readClaimed(int slot, Claim claim, FetchBuffer.Source source) {
        List<Acquired> acquired = List.of();
        try {
            long readUntil = read(claim, source);
            if (readUntil < 0) {
                return false;
            }
            acquired = acquire(claim, readUntil);
            passedHoles |= acquired.isEmpty() && readUntil > claim.from();
        } catch (IOException e) {
            cannotRead(claim.queueId(), e);
        } finally {
            unclaim(claim);
            if (acquired.isEmpty()) {
                buffer.undo();
            }
        }
        if (error != ErrorCode.NONE) {
            addError(slot, claim.queueId());
        } else if (!acquired.isEmpty()) {
            readiness.setReady(slot);
            lastServed = slot;
            add(slot, claim.queueId(), buffer.records(), acquired);
            buffer.keep();
        } else if (batches.sawRecords() || buffer.missingBytes() > 0) {
            readiness.setReady(slot);
        }
        return true;
    }

    /** The offset behind the last one that was read; -1 if the source does not have the records. */
    private long read(Claim claim, FetchBuffer.Source source) throws IOException {
        while (true) {
            long forgotten = parts.stable().forgotten(claim.queueId());
            batches.begin(source);
            ReadStatus status = buffer.read(
                    batches,
                    claim.queueId(),
                    claim.from(),
                    claim.until(),
                    grantedBytes - buffer.total(),
                    buffer.total() == 0);
            if (status == ReadStatus.NOT_IN_TAIL) {
                return -1;
            }
            if (status == ReadStatus.OUT_OF_RANGE || status == ReadStatus.AT_END) {
                return claim.from(); // a trim was faster; the next claim sees it
            }
            error = ErrorMapper.of(status);
            if (error != ErrorCode.NONE) {
                failed = true;
                return claim.from();
            }
            Records read = buffer.records();
            if (read == null) {
                return Math.max(claim.from(), batches.firstOffset()); // a hole is passed at once, however long it is
            }
            @Nullable StableOffsets stable = config.readCommitted() ? parts.stable() : null;
            batches.find(read, stable, claim, buffer.nextOffset(), wanted.batchRecords());
            if (!config.readCommitted() || parts.stable().forgotten(claim.queueId()) == forgotten) {
                return buffer.nextOffset();
            }
            buffer.undo();
        }
    }

    private List<Acquired> acquire(Claim claim, long readUntil) {
        ShareGroup group = parts.groups().find(session.key.groupId());
        if (group == null || readUntil <= claim.from()) {
            return List.of();
        }
        long most = wanted.strict() ? wanted.maxRecords() - records : Long.MAX_VALUE;
        synchronized (group) {
            long deadline = parts.groups().nanos() + limits.lockNanos();
            List<Acquired> acquired = group.acquire(
                    claim, batches.spans(), readUntil, most, wanted.batchRecords(), wanted.member(), deadline);
            parts.groups().watch(group);
            for (Acquired range : acquired) {
                records += range.lastOffset() - range.firstOffset() + 1;
            }
            return acquired;
        }
    }

    private void unclaim(Claim claim) {
        ShareGroup group = parts.groups().find(session.key.groupId());
        if (group != null) {
            synchronized (group) {
                group.unclaim(claim);
            }
        }
    }

    // ---- the answer ----

    List<Found> found() {
        return found;
    }

    /**
     * Adds partitions that are owed and have nothing to acquire. A partition that is ready was not read since, so it
     * may have an error.
     */
    void addOwed() {
        error = ErrorCode.NONE;
        int slot = readiness.nextOwed(0);
        for (int seen = 0; slot >= 0 && seen < OWED_AT_ONCE; seen++) {
            if (!readiness.isReady(slot)) {
                add(slot, Topic.NO_QUEUE, null, List.of());
            }
            slot = readiness.nextOwed(slot + 1);
        }
    }

    int readBytes() {
        return buffer.total();
    }

    int missingBytes() {
        return buffer.missingBytes();
    }

    void allowHuge(int bytes) {
        buffer.allowHuge(bytes);
    }

    /** Whether to answer without waiting: a read failed, or no partition can be read. */
    boolean isUrgent() {
        return failed || (unreadable > 0 && unreadable == session.partitions.size());
    }

    /** Whether it found offsets without a record to deliver, so that there may be more behind them. */
    boolean passedHoles() {
        return passedHoles;
    }

    /** Passes the buffers to the caller, who sends the answer. */
    List<ByteBuf> settle() {
        if (lastServed != NO_SLOT) {
            readiness.turnBehind(lastServed);
        }
        for (Found one : found) {
            if (one.error() == ErrorCode.NONE) {
                readiness.settle(one.slot());
            }
        }
        parts.groups().counters().acquired(records);
        return buffer.take();
    }

    /** There is no answer from this pass: takes back what was acquired. */
    void release() {
        ShareGroup group = parts.groups().find(session.key.groupId());
        for (Found one : found) {
            if (group != null && !one.acquired().isEmpty()) {
                synchronized (group) {
                    group.undo(one.queueId(), one.acquired(), wanted.member());
                }
            }
        }
        found.clear();
        buffer.release();
    }
}

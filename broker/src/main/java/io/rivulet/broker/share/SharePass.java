package io.rivulet.broker.share;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.fetch.FetchBuffer;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.Readiness;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.broker.fetch.TimestampSearch;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the ready partitions of a share session: once round, until the answer is full. Some rows at a time are
 * claimed, read and acquired. The pass can stop between two partitions and continue with another source.
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
    private final Wanted wanted;
    private final GroupVisits rows;
    private final boolean isGroup;
    private final int grantedBytes;
    private final FetchBuffer buffer;
    private final ReadBatches batches = new ReadBatches();
    private final List<Found> found = new ArrayList<>();
    /** Reused by all visits. */
    private final List<Visit> visits = new ArrayList<>();

    private final int first;
    private int next;
    private boolean wrapped;
    /** How many rows are visited together: few at first, then as many as the answer may have room for. */
    private int together = 1;

    private int lastServed = NO_SLOT;
    private long records;
    private int unreadable;
    private boolean failed;
    private boolean passedHoles;

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
        this.wanted = wanted;
        this.rows = new GroupVisits(parts.groups(), session, config, wanted);
        this.isGroup = parts.groups().mayExist(session.key.groupId());
        this.grantedBytes = grantedBytes;
        this.buffer = new FetchBuffer(allocator, parts.leaderEpoch());
        this.first = readiness.turn();
        this.next = first;
    }

    /** Reads from the tail. False if the rest needs a read thread. */
    boolean readTail(StoreReader reader) {
        int left = VISITS_AT_ONCE;
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            next = slot;
            if (left == 0 || buffer.total() >= BYTES_AT_ONCE) {
                return false;
            }
            List<Visit> some = collect(Math.min(left, together));
            left -= some.size();
            if (!visit(some, reader, reader::readTail, false)) {
                return false;
            }
        }
        rows.appendBegun();
        return true;
    }

    /** Reads the rest. */
    void readAll(StoreReader reader) {
        for (int slot = nextSlot(); slot >= 0; slot = nextSlot()) {
            next = slot;
            boolean unused = visit(collect(together), reader, reader::read, true);
        }
        rows.appendBegun();
    }

    private int nextSlot() {
        if (buffer.missingBytes() > 0 || isFull(records)) {
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

    private boolean isFull(long withRecords) {
        return withRecords >= wanted.maxRecords() || (buffer.total() > 0 && buffer.total() >= grantedBytes);
    }

    // ---- visits ----

    /** The next partitions. From now on, only an append or a change of the row makes them ready. */
    private List<Visit> collect(int most) {
        int count = 0;
        for (int slot = nextSlot(); slot >= 0; slot = count < most ? nextSlot() : NO_SLOT) {
            if (count == visits.size()) {
                visits.add(new Visit());
            }
            Visit visit = visits.get(count++);
            visit.begin(slot, wrapped);
            readiness.clearReady(slot);
            prepare(visit);
        }
        return visits.subList(0, count);
    }

    private void prepare(Visit visit) {
        FetchSession.NamedTopic topic = session.partitions.topicOf(visit.slot);
        int queueId = session.partitions.queueOf(visit.slot);
        visit.queueId = queueId;
        visit.error = session.partitions.errorOf(visit.slot, queueId);
        Topic seen = topic.seen();
        if (seen != null && !access.isUnlimited() && !access.mayTopic(Operation.READ, seen.name())) {
            visit.error = ErrorCode.TOPIC_AUTHORIZATION_FAILED;
        } else if (visit.error == ErrorCode.NONE && !isGroup) {
            visit.error = ErrorCode.UNKNOWN_SERVER_ERROR; // as in Kafka: the partition is not initialized
        }
        if (visit.error != ErrorCode.NONE) {
            unreadable++;
            return;
        }
        visit.logEnd = parts.store().endOffset(queueId);
        visit.readableEnd = readableEnd(queueId, visit.logEnd);
        visit.logStart = parts.store().startOffset(queueId);
    }

    /** The end offset was read first: all open transactions below it are known now. */
    private long readableEnd(int queueId, long end) {
        if (!config.readCommitted()) {
            return end;
        }
        long open = parts.stable().firstOpenOffset(queueId);
        return Math.min(end, open == StableOffsets.NONE_OPEN ? end : open);
    }

    /** False if the source does not have the records of a partition. The pass continues there. */
    private boolean visit(List<Visit> some, StoreReader reader, FetchBuffer.Source source, boolean mayWait) {
        long before = records;
        rows.claim(some, wanted.maxRecords() - before);
        Visit unfinished = search(some, reader, mayWait);
        try {
            Visit unread = read(some, source);
            unfinished = unfinished == null ? unread : unfinished;
        } catch (RuntimeException e) {
            rows.unclaim(some);
            throw e;
        }
        records += rows.acquire(some, wanted.maxRecords() - before);
        for (Visit visit : some) {
            finish(visit);
        }
        plan(some.size(), records - before);
        if (unfinished != null) {
            next = unfinished.slot;
            wrapped = unfinished.wrapped;
        }
        return unfinished == null;
    }

    /** Visits as many rows together as the answer may have room for. A strict limit needs the results of each row. */
    private void plan(int visited, long acquired) {
        long left = wanted.maxRecords() - records;
        long room = acquired == 0 ? VISITS_AT_ONCE : left * visited / acquired;
        together = wanted.strict() ? 1 : (int) Math.max(1, Math.min(room, Math.min(VISITS_AT_ONCE, 2L * visited)));
    }

    /** Searches where the group begins in queues without a row. Returns the first that needs a read thread for that. */
    private @Nullable Visit search(List<Visit> some, StoreReader reader, boolean mayWait) {
        Visit unfinished = null;
        boolean isFound = false;
        for (Visit visit : some) {
            if (visit.needsSearch && !mayWait) {
                readiness.setReady(visit.slot);
                unfinished = unfinished == null ? visit : unfinished;
            } else if (visit.needsSearch) {
                try {
                    visit.searchedStart = byTime(visit, reader);
                    isFound = true;
                } catch (IOException e) {
                    cannotRead(visit, e);
                }
            }
        }
        if (isFound) {
            rows.claim(some, wanted.maxRecords() - records);
        }
        return unfinished;
    }

    private long byTime(Visit visit, StoreReader reader) throws IOException {
        long timestamp = parts.stampMillis().getAsLong() - config.offsetReset().durationMillis();
        try (TimestampSearch search = new TimestampSearch(parts.maxDecompressedBytes())) {
            TimestampSearch.Found one = search.firstFrom(reader, visit.queueId, visit.logStart, timestamp);
            return one == null ? visit.logEnd : one.offset();
        }
    }

    private void cannotRead(Visit visit, IOException e) {
        LIMIT.log(more -> LOG.error("Queue {} can't be read for a share group{}", visit.queueId, more, e));
        visit.error = ErrorCode.KAFKA_STORAGE_ERROR;
        failed = true;
    }

    // ---- records ----

    /** Reads what is claimed, until the answer is full. Returns the first one that the source does not have. */
    private @Nullable Visit read(List<Visit> some, FetchBuffer.Source source) {
        long expected = records;
        for (Visit visit : some) {
            Claim claim = visit.claim;
            if (claim == null) {
                continue;
            }
            if (buffer.missingBytes() > 0 || isFull(expected)) {
                return null;
            }
            try {
                visit.readUntil = read(visit, claim, source);
            } catch (IOException e) {
                cannotRead(visit, e);
            }
            if (visit.readUntil < 0) {
                return visit;
            }
            visit.wasRead = visit.error == ErrorCode.NONE;
            expected += visit.readRecords();
            keep(visit);
        }
        return null;
    }

    private void keep(Visit visit) {
        if (visit.wasRead && visit.spans.size() > 0) {
            buffer.keep();
        } else {
            buffer.undo();
        }
    }

    /** The offset behind the last one that was read; -1 if the source does not have the records. */
    private long read(Visit visit, Claim claim, FetchBuffer.Source source) throws IOException {
        while (true) {
            long forgotten = parts.stable().forgotten(claim.queueId());
            batches.begin(source, visit.spans);
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
            visit.error = ErrorMapper.of(status);
            if (visit.error != ErrorCode.NONE) {
                failed = true;
                return claim.from();
            }
            Records read = buffer.records();
            if (read == null) {
                return Math.max(claim.from(), batches.firstOffset()); // a hole is passed at once, however long it is
            }
            visit.records = read;
            @Nullable StableOffsets stable = config.readCommitted() ? parts.stable() : null;
            batches.find(read, stable, claim, buffer.nextOffset(), wanted.batchRecords());
            if (!config.readCommitted() || parts.stable().forgotten(claim.queueId()) == forgotten) {
                return buffer.nextOffset();
            }
            buffer.undo();
        }
    }

    private void finish(Visit visit) {
        Claim claim = visit.claim;
        if (visit.hasMore) {
            readiness.setReady(visit.slot);
        }
        if (visit.error != ErrorCode.NONE) {
            // A partition with an error is answered each time.
            readiness.setReady(visit.slot);
            readiness.owe(visit.slot);
            add(visit.slot, visit.queueId, visit.error, null, List.of());
        } else if (!visit.acquired.isEmpty()) {
            lastServed = visit.slot;
            add(visit.slot, visit.queueId, visit.error, visit.records, visit.acquired);
        } else if (claim != null && visit.wasRead && visit.readUntil > claim.from()) {
            passedHoles = true;
        }
    }

    private void add(int slot, int queueId, ErrorCode error, @Nullable Records read, List<Acquired> acquired) {
        found.add(new Found(
                slot,
                session.partitions.topicOf(slot),
                session.partitions.partitionOf(slot),
                queueId,
                error,
                read,
                acquired));
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
        int slot = readiness.nextOwed(0);
        if (slot < 0) {
            return;
        }
        Set<Integer> answered = new HashSet<>();
        found.forEach(one -> answered.add(one.slot()));
        for (int seen = 0; slot >= 0 && seen < OWED_AT_ONCE; seen++) {
            if (!readiness.isReady(slot) && !answered.contains(slot)) {
                add(slot, Topic.NO_QUEUE, ErrorCode.NONE, null, List.of());
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

    /** There is no answer from this pass: takes back what was acquired. Rows that it has made stay. */
    void release() {
        rows.appendBegun();
        rows.undo(found);
        found.clear();
        buffer.release();
    }
}

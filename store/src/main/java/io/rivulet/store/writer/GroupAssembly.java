package io.rivulet.store.writer;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.BatchGate;
import io.rivulet.store.GateVerdict;
import io.rivulet.store.Outcome;
import io.rivulet.store.entry.EntryLayout;
import io.rivulet.store.entry.EntryVisitor;
import io.rivulet.store.entry.EntryWalk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.stream.StreamRecordHeader;
import io.rivulet.store.tail.Tail;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the next group: asks the gate about batches, appends entries, assigns offsets and ids, reserves room in the
 * tail. Rolls back a group that the log refuses, and the parts of an atomic request that is turned down.
 *
 * <p>Owned by: log-writer thread.
 */
final class GroupAssembly {
    private static final long NO_OFFSET = -1;

    /** Writes one entry and returns where the next one starts. */
    @FunctionalInterface
    interface EntryWriter {
        int put(ByteBuffer body, int at);
    }

    private final CommitLog log;
    private final QueueTable table;
    private final Tail tail;
    private final @Nullable BatchGate gate;
    private final long timestampBase;
    private final int maxBodyBytes;
    private final EntryWalk walk = new EntryWalk();
    private final RollBack rollBack = new RollBack();
    private final GateVerdict verdict = new GateVerdict();

    private @Nullable PendingGroup forming;
    private boolean full;
    private int nextQueueId;

    private int markedEntries;
    private int markedBodyIndex;
    private int markedChunks;

    GroupAssembly(
            CommitLog log,
            QueueTable table,
            Tail tail,
            @Nullable BatchGate gate,
            long timestampBase,
            int maxBodyBytes) {
        this.log = log;
        this.table = table;
        this.tail = tail;
        this.gate = gate;
        this.timestampBase = timestampBase;
        this.maxBodyBytes = maxBodyBytes;
        this.nextQueueId = table.idLimit();
    }

    // ---- appending ----

    boolean exists(int queueId) {
        return table.exists(queueId);
    }

    int maxPayloadBytes() {
        return maxBodyBytes - EntryLayout.MAX_OVERHEAD_BYTES;
    }

    /** Appends a part of the request or turns it down; false when there is no room for it. */
    boolean append(AppendRequest request, int part) {
        if (request.outcome(part) != Outcome.PENDING) {
            return true; // a huge batch that could not be written
        }
        int length = request.length(part);
        if (length > maxPayloadBytes() && !request.isHuge(part)) {
            boolean hasQueue = request.isState(part) || table.exists(request.queueId(part));
            request.outcome(part, hasQueue ? Outcome.TOO_LARGE : Outcome.NO_QUEUE);
            return true;
        }
        if (request.isState(part)) {
            return appendEntry(
                    EntryLayout.MAX_OVERHEAD_BYTES + length,
                    (body, at) -> EntryLayout.putState(
                            body, at, request.viewId(part), request.source(), request.at(part), length));
        }
        int queueId = request.queueId(part);
        if (!table.exists(queueId)) {
            request.outcome(part, Outcome.NO_QUEUE);
            return true;
        }
        if (gate != null) {
            gate.check(queueId, request.source(), request.at(part), length, request.gateFlags(), verdict);
            if (!verdict.isAdmitted()) {
                request.turnedDown(part, verdict);
                return true;
            }
        }
        return appendAdmitted(request, part);
    }

    private boolean appendAdmitted(AppendRequest request, int part) {
        int queueId = request.queueId(part);
        ByteBuffer source = request.source();
        int at = request.at(part);
        int length = request.length(part);
        PendingGroup group =
                room(request.isHuge(part) ? EntryLayout.MAX_HUGE_BYTES : EntryLayout.MAX_OVERHEAD_BYTES + length);
        if (group == null || !reserve(group, Tail.chunksFor(tail.recordBytes(length)))) {
            return false;
        }
        long baseOffset = table.assign(queueId, request.recordCount(part));
        ByteBuffer body = group.group().body();
        body.position(
                request.isHuge(part)
                        ? putHuge(body, request, part, baseOffset)
                        : EntryLayout.putBatch(
                                body,
                                body.position(),
                                queueId,
                                baseOffset,
                                request.recordCount(part),
                                request.maxTimestamp(part) - timestampBase,
                                source,
                                at,
                                length));
        if (request.summedBytes(part) > 0 && !request.isHuge(part)) {
            group.group().entryAdded(request.summedBytes(part), request.sum(part));
        } else {
            group.group().entryAdded();
        }
        request.baseOffset(part, baseOffset);
        if (gate != null) {
            gate.appended(queueId, baseOffset, source, at, length);
        }
        return true;
    }

    private int putHuge(ByteBuffer body, AppendRequest request, int part, long baseOffset) {
        int referenceAt = EntryLayout.putHugeStart(body, body.position(), request.queueId(part), baseOffset);
        int endAt = StreamRecord.putHugeReference(
                body,
                referenceAt,
                request.recordCount(part),
                request.maxTimestamp(part) - timestampBase,
                request.hugeNumber(part),
                request.length(part),
                request.hugeCrc(part));
        return EntryLayout.putHugeEnd(body, endAt, request.source(), request.at(part));
    }

    /** Appends all parts of the request to one group, or turns all of them down; false when there is no room yet. */
    boolean appendAll(AppendRequest request) {
        long bytes = 0;
        long chunks = 0;
        for (int i = 0; i < request.count(); i++) {
            bytes += EntryLayout.MAX_OVERHEAD_BYTES + request.length(i);
            chunks += request.isState(i) ? 0 : Tail.chunksFor(tail.recordBytes(request.length(i)));
        }
        if (bytes > maxBodyBytes || chunks > tail.capacityChunks() / Tail.UNSWEPT_SHARE) {
            turnDownAll(request, Outcome.TOO_LARGE);
            return true;
        }
        if (!hasRoom((int) bytes, (int) chunks)) {
            return false;
        }
        mark();
        for (int i = 0; i < request.count(); i++) {
            if (!append(request, i)) {
                throw new IllegalStateException("no room for part " + i + ", though there was room for all");
            }
            if (request.outcome(i) != Outcome.PENDING) {
                rollBackToMark();
                turnDownAll(request, request.outcome(i));
                return true;
            }
        }
        return true;
    }

    private static void turnDownAll(AppendRequest request, Outcome outcome) {
        for (int i = 0; i < request.count(); i++) {
            if (request.outcome(i) == Outcome.PENDING) {
                request.baseOffset(i, NO_OFFSET);
            }
            request.outcome(i, outcome);
        }
    }

    /** Appends an entry that is no batch; false if there is no room for {@code maxBytes}. */
    boolean appendEntry(int maxBytes, EntryWriter entry) {
        PendingGroup group = room(maxBytes);
        if (group == null) {
            return false;
        }
        ByteBuffer body = group.group().body();
        body.position(entry.put(body, body.position()));
        group.group().entryAdded();
        return true;
    }

    /** The next offset of the queue, which counts batches that are not durable yet. */
    long nextOffset(int queueId) {
        return table.nextOffset(queueId);
    }

    int nextQueueId() {
        return nextQueueId;
    }

    void takeQueueIds(int count) {
        nextQueueId += count;
    }

    // ---- atomic requests ----

    private boolean hasRoom(int bytes, int chunks) {
        if (room(bytes) == null) {
            return false;
        }
        if (!tail.reserve(chunks)) {
            full = true;
            return false;
        }
        tail.unreserve(chunks);
        return true;
    }

    private void mark() {
        PendingGroup group = Objects.requireNonNull(forming);
        markedEntries = group.group().entryCount();
        markedBodyIndex = group.group().body().position();
        markedChunks = group.reservedChunks();
    }

    private void rollBackToMark() {
        PendingGroup group = Objects.requireNonNull(forming);
        undo(group, markedBodyIndex);
        tail.unreserve(group.reservedChunks() - markedChunks);
        group.reservedOnly(markedChunks);
        group.group().cutTo(markedEntries, markedBodyIndex);
    }

    private @Nullable PendingGroup room(int bytes) {
        PendingGroup group = forming;
        if (group == null) {
            LogGroup empty = log.acquireGroup();
            group = empty == null ? null : new PendingGroup(empty);
            forming = group;
        }
        if (group != null && !group.group().hasRoom(bytes)) {
            full = true;
            return null;
        }
        return group;
    }

    private boolean reserve(PendingGroup group, int chunks) {
        if (!tail.reserve(chunks)) {
            full = true;
            return false;
        }
        group.reserved(chunks);
        return true;
    }

    // ---- for the log writer ----

    @Nullable
    PendingGroup forming() {
        return forming;
    }

    boolean isEmpty() {
        return forming == null || forming.group().isEmpty();
    }

    /** Whether an entry found no room: waiting for more entries is of no use. */
    boolean isFull() {
        return full;
    }

    /** Resets {@link #isFull}: there may be room now. */
    void retryRoom() {
        full = false;
    }

    /** Takes the group; the next entry begins a new one. */
    PendingGroup take() {
        PendingGroup group = Objects.requireNonNull(forming);
        forming = null;
        full = false;
        return group;
    }

    /** Undoes the effects of appending the entries of the group. Only for the latest group. */
    void rollBack(PendingGroup refused) {
        undo(refused, 0);
        tail.unreserve(refused.reservedChunks());
        log.releaseGroup(refused.group());
    }

    private void undo(PendingGroup group, int fromBodyIndex) {
        ByteBuffer body = group.group().body();
        walk.walk(body, fromBodyIndex, body.position(), rollBack);
        rollBack.notifyGate();
    }

    private final class RollBack implements EntryVisitor {
        private record Batch(int queueId, long baseOffset) {}

        private final Deque<Batch> batches = new ArrayDeque<>();

        @Override
        public void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {
            if (table.exists(queueId)) {
                table.rollBack(queueId, baseOffset);
            }
            batches.push(new Batch(queueId, baseOffset));
        }

        /** In reverse order: the last batch first. */
        void notifyGate() {
            for (Batch batch = batches.poll(); batch != null; batch = batches.poll()) {
                if (gate != null) {
                    gate.rolledBack(batch.queueId, batch.baseOffset);
                }
            }
        }

        @Override
        public void queuesCreated(int firstQueueId, int count, int retentionClass) {
            nextQueueId = Math.min(nextQueueId, firstQueueId);
        }

        @Override
        public void queuesClassed(int firstQueueId, int count, int retentionClass) {}

        @Override
        public void queuesDeleted(int firstQueueId, int count) {}

        @Override
        public void trimmed(int queueId, long startOffset) {}

        @Override
        public void state(int viewId, ByteBuffer body, int at, int length) {}
    }
}

package io.rivulet.store.writer;

import io.rivulet.store.BatchGate;
import io.rivulet.store.entry.EntryLayout;
import io.rivulet.store.entry.EntryVisitor;
import io.rivulet.store.entry.EntryWalk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.Group;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.RecordHeader;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.view.Applier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The forming group: has batches looked at by the gate, lays entries down, assigns offsets and ids, sets room in the tail aside. A
 * group that the log refuses is taken back as if it had never been laid, and so is what was laid since a {@link #mark}.
 *
 * <p>Owned by: log-writer thread.
 */
final class GroupAssembly {
    /** Instead of an offset: no room in the group or in the tail. */
    static final long NO_ROOM = -1;

    /** The sweep leaves one chunk in so many alone, so at least these are free when nothing is on its way. */
    private static final int UNSWEPT_SHARE = 4;

    /** Writes one entry and answers where the next one goes. */
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
    private final TakeBack takeBack = new TakeBack();

    private @Nullable OpenGroup forming;
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

    // ---- what commands lay down ----

    boolean exists(int queueId) {
        return table.exists(queueId);
    }

    int maxPayloadBytes() {
        return maxBodyBytes - EntryLayout.MAX_OVERHEAD_BYTES;
    }

    /** {@link BatchGate#check}. */
    long check(int queueId, ByteBuffer source, int at, int length) {
        return gate == null ? BatchGate.ADMIT : gate.check(queueId, source, at, length);
    }

    /** Lays a batch that was admitted, and answers its first offset, or {@link #NO_ROOM}. */
    long layBatch(int queueId, int recordCount, long maxTimestamp, ByteBuffer source, int at, int length) {
        OpenGroup group = room(EntryLayout.MAX_OVERHEAD_BYTES + length);
        int chunks = Tail.chunksFor(Applier.tailBytes(length));
        if (group == null || !reserve(group, chunks)) {
            return NO_ROOM;
        }
        long baseOffset = table.assign(queueId, recordCount);
        ByteBuffer body = group.group().body();
        body.position(EntryLayout.putBatch(
                body,
                body.position(),
                queueId,
                baseOffset,
                recordCount,
                maxTimestamp - timestampBase,
                source,
                at,
                length));
        group.group().entryAdded();
        if (gate != null) {
            gate.laid(queueId, baseOffset, source, at, length);
        }
        return baseOffset;
    }

    /** Lays any other entry; false when there is no room for so many bytes. */
    boolean lay(int maxBytes, EntryWriter entry) {
        OpenGroup group = room(maxBytes);
        if (group == null) {
            return false;
        }
        ByteBuffer body = group.group().body();
        body.position(entry.put(body, body.position()));
        group.group().entryAdded();
        return true;
    }

    /** The offset behind the queue's last, counting what is laid down but not durable. */
    long nextOffset(int queueId) {
        return table.nextOffset(queueId);
    }

    int nextQueueId() {
        return nextQueueId;
    }

    void takeQueueIds(int count) {
        nextQueueId += count;
    }

    // ---- several entries, all of them or none ----

    /** Whether entries of so many bytes and chunks of the tail find room together, some day. */
    boolean canHold(long bytes, long chunks) {
        return bytes <= maxBodyBytes && chunks <= tail.capacityChunks() / UNSWEPT_SHARE;
    }

    /** Whether they find room in the forming group now. */
    boolean hasRoom(int bytes, int chunks) {
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

    /** From here on it can be gone {@link #backToMark}. There must have been room. */
    void mark() {
        OpenGroup group = Objects.requireNonNull(forming);
        markedEntries = group.group().entryCount();
        markedBodyIndex = group.group().body().position();
        markedChunks = group.reservedChunks();
    }

    void backToMark() {
        OpenGroup group = Objects.requireNonNull(forming);
        undo(group, markedBodyIndex);
        tail.unreserve(group.reservedChunks() - markedChunks);
        group.reservedOnly(markedChunks);
        group.group().cutTo(markedEntries, markedBodyIndex);
    }

    private @Nullable OpenGroup room(int bytes) {
        OpenGroup group = forming;
        if (group == null) {
            Group empty = log.acquireGroup();
            group = empty == null ? null : new OpenGroup(empty);
            forming = group;
        }
        if (group != null && !group.group().hasRoom(bytes)) {
            full = true;
            return null;
        }
        return group;
    }

    private boolean reserve(OpenGroup group, int chunks) {
        if (!tail.reserve(chunks)) {
            full = true;
            return false;
        }
        group.reserved(chunks);
        return true;
    }

    // ---- what the log writer asks ----

    @Nullable
    OpenGroup forming() {
        return forming;
    }

    boolean isEmpty() {
        return forming == null || forming.group().isEmpty();
    }

    /** Whether something found no room any more: waiting for further entries is of no use. */
    boolean isFull() {
        return full;
    }

    /** Forgets that something found no room; it will say so again. */
    void lookForRoomAgain() {
        full = false;
    }

    /** Hands the group over; the next entry begins a new one. */
    OpenGroup take() {
        OpenGroup group = Objects.requireNonNull(forming);
        forming = null;
        full = false;
        return group;
    }

    /** Undoes what laying the group's entries has changed. Only for the group that was laid last. */
    void takeBack(OpenGroup refused) {
        undo(refused, 0);
        tail.unreserve(refused.reservedChunks());
        log.releaseGroup(refused.group());
    }

    private void undo(OpenGroup group, int fromBodyIndex) {
        ByteBuffer body = group.group().body();
        walk.walk(body, fromBodyIndex, body.position(), takeBack);
        takeBack.tellGate();
    }

    private final class TakeBack implements EntryVisitor {
        private record Batch(int queueId, long baseOffset) {}

        private final Deque<Batch> batches = new ArrayDeque<>();

        @Override
        public void batch(int queueId, long baseOffset, RecordHeader header, ByteBuffer body, int recordAt) {
            if (table.exists(queueId)) {
                table.takeBack(queueId, baseOffset);
            }
            batches.push(new Batch(queueId, baseOffset));
        }

        /** Last laid, first taken back. */
        void tellGate() {
            for (Batch batch = batches.poll(); batch != null; batch = batches.poll()) {
                if (gate != null) {
                    gate.takenBack(batch.queueId, batch.baseOffset);
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

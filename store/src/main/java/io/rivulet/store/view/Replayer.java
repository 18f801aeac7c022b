package io.rivulet.store.view;

import io.rivulet.store.BatchGate;
import io.rivulet.store.PublishListener;
import io.rivulet.store.View;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamRecordHeader;
import io.rivulet.store.tail.Tail;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies groups after a restart. The snapshot of the queue table may be younger than a group, so entries are skipped
 * if their offsets are in block files already, or if their queue was deleted later. Each view and the gate have
 * snapshots with their own lsn. No fetch waits for what is published here.
 *
 * <p>Owned by: the thread that opens the store.
 */
public final class Replayer extends Applier {
    /** Makes room in a full tail: sweeps it on this thread. */
    @FunctionalInterface
    public interface RoomMaker {
        void makeRoom();
    }

    private final RoomMaker roomMaker;
    private final Map<Integer, Long> viewLsns;
    private int reservedChunks;
    /** The last group for which {@code gateWantsIt} was computed; a group has many batches. */
    private long gateAskedLsn = -1;

    private boolean gateWantsIt;

    /** @param viewLsns for each view with a snapshot, the lsn before which the snapshot holds everything */
    public Replayer(
            QueueTable table,
            Tail tail,
            Collection<? extends View> views,
            @Nullable BatchGate gate,
            HugeBatches huge,
            Map<Integer, Long> viewLsns,
            RoomMaker roomMaker) {
        super(table, tail, views, gate, huge, PublishListener.NONE);
        this.viewLsns = viewLsns;
        this.roomMaker = roomMaker;
    }

    @Override
    protected void notifyGate(
            BatchGate notified,
            int queueId,
            long baseOffset,
            StreamRecordHeader header,
            ByteBuffer body,
            int recordAt) {
        if (gateAskedLsn != lsn) {
            gateAskedLsn = lsn;
            gateWantsIt = isBehindSnapshot(notified.id());
        }
        if (gateWantsIt && table.exists(queueId)) {
            super.notifyGate(notified, queueId, baseOffset, header, body, recordAt);
        }
    }

    @Override
    protected void append(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {
        long endOffset = baseOffset + header.recordCount();
        if (!table.exists(queueId) || endOffset <= table.nextOffset(queueId)) {
            return;
        }
        long assigned = table.assign(queueId, header.recordCount());
        if (assigned != baseOffset) {
            throw new BrokenInvariantException("queue " + queueId + " ends at offset " + assigned
                    + ", its entry in the group at lsn " + lsn + " begins at " + baseOffset);
        }
        reserve(Tail.chunksFor(tail.recordBytes(header.bodyBytes())));
        super.append(queueId, baseOffset, header, body, recordAt);
    }

    @Override
    protected void notifyHuge(long fileLsn, int queueId, long endOffset) {
        if (isBehindSnapshot(View.HUGE_ID)) {
            super.notifyHuge(fileLsn, queueId, endOffset);
        }
    }

    private void reserve(int chunks) {
        while (!tail.reserve(chunks)) {
            flush();
            roomMaker.makeRoom();
        }
        reservedChunks += chunks;
    }

    @Override
    protected void flush() {
        tail.unreserve(reservedChunks);
        reservedChunks = 0;
        super.flush();
    }

    @Override
    public void state(int viewId, ByteBuffer body, int at, int length) {
        if (isBehindSnapshot(viewId)) {
            super.state(viewId, body, at, length);
        }
    }

    private boolean isBehindSnapshot(int viewId) {
        return lsn >= viewLsns.getOrDefault(viewId, 0L);
    }
}

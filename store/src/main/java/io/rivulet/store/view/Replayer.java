package io.rivulet.store.view;

import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.RecordHeader;
import io.rivulet.store.tail.Tail;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;

/**
 * Applies groups after a restart. The queue table's snapshot may be younger than the group: an entry whose offsets are in block
 * files already is skipped, and so is one of a queue that was deleted later. Each view has a snapshot with an lsn of its own.
 *
 * <p>Owned by: the thread that opens the store.
 */
public final class Replayer extends Applier {
    /** Makes room in a full tail, by sweeping right here. */
    @FunctionalInterface
    public interface RoomMaker {
        void makeRoom();
    }

    private final RoomMaker roomMaker;
    private final Map<Integer, Long> viewLsns;

    /** @param viewLsns for each view with a snapshot, the lsn before which the snapshot holds everything */
    public Replayer(
            QueueTable table,
            Tail tail,
            Collection<? extends View> views,
            Map<Integer, Long> viewLsns,
            RoomMaker roomMaker) {
        super(table, tail, views);
        this.viewLsns = viewLsns;
        this.roomMaker = roomMaker;
    }

    @Override
    public void batch(int queueId, long baseOffset, RecordHeader header, ByteBuffer body, int recordAt) {
        if (!table.exists(queueId)) {
            super.batch(queueId, baseOffset, header, body, recordAt);
            return;
        }
        long end = baseOffset + header.recordCount();
        if (end <= table.endOffset(queueId)) {
            return;
        }
        table.assign(queueId, header.recordCount());
        int chunks = Tail.chunksFor(tailBytes(header.payloadLength()));
        while (!tail.reserve(chunks)) {
            roomMaker.makeRoom();
        }
        super.batch(queueId, baseOffset, header, body, recordAt);
        tail.unreserve(chunks);
    }

    @Override
    public void state(int viewId, ByteBuffer body, int at, int length) {
        if (lsn >= viewLsns.getOrDefault(viewId, 0L)) {
            super.state(viewId, body, at, length);
        }
    }
}

package io.rivulet.store.view;

import io.rivulet.store.BatchGate;
import io.rivulet.store.PublishListener;
import io.rivulet.store.View;
import io.rivulet.store.entry.EntryVisitor;
import io.rivulet.store.entry.EntryWalk;
import io.rivulet.store.huge.HugeBatches;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamRecord;
import io.rivulet.store.stream.StreamRecordHeader;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.tail.TailAppends;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Applies durable groups to the queue table, the tail, the gate and the registered views. New groups and replayed
 * groups go through the same code, so that both lead to the same state; {@link Replayer} adds what only a replay needs.
 *
 * <p>Owned by: log-writer thread.
 */
public class Applier implements EntryVisitor {
    protected final QueueTable table;
    protected final Tail tail;
    private final Map<Integer, View> views;
    private final @Nullable BatchGate gate;
    private final PublishListener listener;
    private final HugeBatches huge;
    private final EntryWalk walk = new EntryWalk();
    private final ByteBuffer reference =
            ByteBuffer.allocateDirect(StreamRecord.MAX_HEADER_BYTES + StreamRecord.REFERENCE_BYTES);
    private final TailAppends appends = new TailAppends();
    /** The payload length of each of {@link #appends}. */
    private int[] payloadBytes = new int[256];

    /** The lsn of the group that is being applied. */
    protected long lsn;

    private long timestamp;

    /** @param views all views, including the gate */
    public Applier(
            QueueTable table,
            Tail tail,
            Collection<? extends View> views,
            @Nullable BatchGate gate,
            HugeBatches huge,
            PublishListener listener) {
        this.table = table;
        this.huge = huge;
        this.tail = tail;
        this.gate = gate;
        this.listener = listener;
        this.views = views.stream().collect(Collectors.toMap(View::id, Function.identity()));
    }

    /** Applies every entry of the group whose body is the first {@code length} bytes of {@code body}. */
    public final void apply(long groupLsn, long groupTimestamp, ByteBuffer body, int length) {
        lsn = groupLsn;
        timestamp = groupTimestamp;
        appends.reset(body);
        walk.walk(body, 0, length, this);
        flush();
    }

    /** Appends the collected records to the tail: many at a time, so that their cache misses overlap. */
    protected void flush() {
        tail.appendAll(appends);
        if (listener != PublishListener.NONE && appends.count() > 0) {
            listener.publishing();
            for (int i = 0; i < appends.count(); i++) {
                listener.published(appends.queueId(i), appends.endOffset(i), payloadBytes[i]);
            }
        }
        appends.reset(appends.src());
    }

    @Override
    public final void batch(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {
        requireOnceCreated(queueId);
        if (gate != null) {
            notifyGate(gate, queueId, baseOffset, header, body, recordAt);
        }
        if (header.isReference()) {
            notifyHuge(header.referenceLsn(body, recordAt), queueId, baseOffset + header.recordCount());
        }
        append(queueId, baseOffset, header, body, recordAt);
    }

    protected void notifyHuge(long fileLsn, int queueId, long endOffset) {
        huge.applied(fileLsn, queueId, endOffset);
    }

    protected void notifyGate(
            BatchGate notified,
            int queueId,
            long baseOffset,
            StreamRecordHeader header,
            ByteBuffer body,
            int recordAt) {
        if (header.isReference()) {
            int headAt = recordAt + header.recordBytes();
            notified.applied(timestamp, queueId, baseOffset, body, headAt, BatchGate.HUGE_HEAD_BYTES);
        } else {
            int payloadAt = recordAt + header.headerBytes();
            notified.applied(timestamp, queueId, baseOffset, body, payloadAt, header.payloadLength());
        }
    }

    protected void append(int queueId, long baseOffset, StreamRecordHeader header, ByteBuffer body, int recordAt) {
        long endOffset = baseOffset + header.recordCount();
        if (tail.holds(header.payloadLength())) {
            if (appends.count() == payloadBytes.length) {
                payloadBytes = Arrays.copyOf(payloadBytes, 2 * payloadBytes.length);
            }
            payloadBytes[appends.count()] =
                    header.isReference() ? header.referenceLength(body, recordAt) : header.payloadLength();
            appends.add(queueId, recordAt, header.recordBytes(), endOffset);
        } else {
            flush();
            appendReference(queueId, header, body, recordAt + header.headerBytes(), endOffset);
        }
    }

    private void appendReference(
            int queueId, StreamRecordHeader header, ByteBuffer body, int payloadAt, long endOffset) {
        if (!table.exists(queueId)) {
            return;
        }
        int length = StreamRecord.putReferenceTo(reference, header, lsn, body, payloadAt);
        tail.append(queueId, reference, 0, length);
        tail.publish(queueId, endOffset);
        listener.publishing();
        listener.published(queueId, endOffset, header.payloadLength());
    }

    @Override
    public void queuesCreated(int firstQueueId, int count, int retentionClass) {
        flush();
        table.createRange(firstQueueId, count, retentionClass);
    }

    @Override
    public void queuesClassed(int firstQueueId, int count, int retentionClass) {
        flush();
        requireOnceCreated(firstQueueId + count - 1);
        table.classRange(firstQueueId, count, retentionClass);
    }

    @Override
    public void queuesDeleted(int firstQueueId, int count) {
        flush();
        for (int queueId = firstQueueId; queueId < firstQueueId + count; queueId++) {
            requireOnceCreated(queueId);
            tail.drop(queueId);
        }
    }

    @Override
    public void trimmed(int queueId, long startOffset) {
        flush();
        if (table.exists(queueId)) {
            table.trim(queueId, startOffset);
        } else {
            requireOnceCreated(queueId);
        }
    }

    @Override
    public void state(int viewId, ByteBuffer body, int at, int length) {
        flush();
        View view = views.get(viewId);
        if (view == null) {
            throw new BrokenInvariantException(
                    "the group at lsn " + lsn + " holds state of view " + viewId + ", which is not registered");
        }
        view.apply(timestamp, body.slice(at, length));
    }

    protected final void requireOnceCreated(int queueId) {
        if (queueId >= table.idLimit()) {
            throw new BrokenInvariantException(
                    "the group at lsn " + lsn + " names queue " + queueId + ", which was never created");
        }
    }
}

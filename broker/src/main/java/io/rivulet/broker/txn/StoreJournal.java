package io.rivulet.broker.txn;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.group.GroupEntryLayout;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.Outcome;
import io.rivulet.store.Store;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The journal on a store.
 *
 * <p>Owned by: the thread that owns the groups; completions come to it from the log writer.
 */
final class StoreJournal implements TxnJournal {
    /** There is one coordinator for ever. */
    private static final int COORDINATOR_EPOCH = 0;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Store store;
    private final Groups groups;
    private final ProducerIds producerIds;
    private final LongSupplier clockMillis;

    StoreJournal(Store store, Groups groups, ProducerIds producerIds, LongSupplier clockMillis) {
        this.store = store;
        this.groups = groups;
        this.producerIds = producerIds;
        this.clockMillis = clockMillis;
    }

    @Override
    public void append(ByteBuffer entry, Consumer<@Nullable Throwable> done) {
        int bytes = entry.remaining();
        groups.underWay(bytes);
        store.appendState(TxnView.VIEW_ID, entry)
                .whenComplete((stored, failure) -> groups.deliver(() -> {
                    groups.underWay(-bytes);
                    done.accept(failure);
                }));
    }

    @Override
    public void append(
            Markers markers, @Nullable ByteBuffer groupEntry, @Nullable ByteBuffer entry, Consumer<Outcome> done) {
        long nowMillis = clockMillis.getAsLong();
        ByteBuf marker = RecordBatchBuilder.marker(
                UnpooledByteBufAllocator.DEFAULT,
                markers.committed() ? ControlMarker.COMMIT : ControlMarker.ABORT,
                0,
                nowMillis,
                markers.producerId(),
                markers.epoch(),
                COORDINATOR_EPOCH);
        int markerBytes = marker.readableBytes();
        ByteBuffer first = groupEntry == null ? NOTHING : groupEntry.duplicate();
        ByteBuffer last = entry == null ? NOTHING : entry.duplicate();
        int groupBytes = first.remaining();
        int entryBytes = last.remaining();
        ByteBuffer source =
                ByteBuffer.allocate(groupBytes + markerBytes + entryBytes).put(first);
        // The store keeps offsets beside batches, so one marker serves for all queues.
        source.put(marker.nioBuffer()).put(last).flip();
        marker.release();
        long heldBytes = source.remaining() + 24L * markers.queueIds().length;
        AppendRequest request = new AppendRequest(
                        source,
                        AppendRequest.Wait.DURABLE,
                        whole -> groups.deliver(() -> {
                            groups.underWay(-heldBytes);
                            done.accept(outcome(whole));
                        }))
                .atomic();
        if (groupBytes > 0) {
            request.addState(GroupEntryLayout.VIEW_ID, 0, groupBytes);
        }
        for (int queueId : markers.queueIds()) {
            request.add(queueId, groupBytes, markerBytes, 1, nowMillis);
        }
        if (entryBytes > 0) {
            request.addState(TxnView.VIEW_ID, groupBytes + markerBytes, entryBytes);
        }
        groups.underWay(heldBytes);
        offer(request);
    }

    private void offer(AppendRequest request) {
        if (!store.append(request)) {
            store.whenRoom(() -> offer(request));
        }
    }

    /** Of all parts the same, for they are stored or turned down together. */
    private static Outcome outcome(AppendRequest request) {
        return request.count() == 0 ? Outcome.DURABLE : request.outcome(request.count() - 1);
    }

    @Override
    public void nextProducerId(Consumer<@Nullable Long> done) {
        producerIds
                .next(store)
                .whenComplete((id, failure) -> groups.deliver(() -> done.accept(failure == null ? id : null)));
    }
}

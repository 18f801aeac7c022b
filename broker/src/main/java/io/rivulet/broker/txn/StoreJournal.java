package io.rivulet.broker.txn;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.TransactionalOffsets.ViewEntry;
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
 * The journal of transactions in the store.
 *
 * <p>Owned by: the coordinator thread; completions come to it from the log writer.
 */
final class StoreJournal implements TxnJournal {
    /** There is only one coordinator, so its epoch never changes. */
    private static final int COORDINATOR_EPOCH = 0;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Store store;
    private final CoordinatorRuntime runtime;
    private final Journal entries;
    private final ProducerIds producerIds;
    private final LongSupplier clockMillis;

    StoreJournal(Store store, CoordinatorRuntime runtime, ProducerIds producerIds, LongSupplier clockMillis) {
        this.store = store;
        this.runtime = runtime;
        this.entries = runtime.journal(store, TxnView.VIEW_ID);
        this.producerIds = producerIds;
        this.clockMillis = clockMillis;
    }

    @Override
    public void append(ByteBuffer entry, Consumer<@Nullable Throwable> done) {
        entries.append(entry, done);
    }

    @Override
    public void append(
            Markers markers, @Nullable ViewEntry offsetsEntry, @Nullable ByteBuffer entry, Consumer<Outcome> done) {
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
        ByteBuffer first = offsetsEntry == null ? NOTHING : offsetsEntry.bytes().duplicate();
        ByteBuffer last = entry == null ? NOTHING : entry.duplicate();
        int offsetsBytes = first.remaining();
        int entryBytes = last.remaining();
        ByteBuffer source =
                ByteBuffer.allocate(offsetsBytes + markerBytes + entryBytes).put(first);
        // The store keeps offsets beside batches, so one marker serves for all queues.
        source.put(marker.nioBuffer()).put(last).flip();
        marker.release();
        long heldBytes = source.remaining() + 24L * markers.queueIds().length;
        AppendRequest request = new AppendRequest(
                        source,
                        AppendRequest.Wait.DURABLE,
                        whole -> runtime.deliver(() -> {
                            runtime.addBytesInFlight(-heldBytes);
                            done.accept(outcome(whole));
                        }))
                .atomic();
        if (offsetsEntry != null) {
            request.addState(offsetsEntry.viewId(), 0, offsetsBytes);
        }
        for (int queueId : markers.queueIds()) {
            request.add(queueId, offsetsBytes, markerBytes, 1, nowMillis);
        }
        if (entryBytes > 0) {
            request.addState(TxnView.VIEW_ID, offsetsBytes + markerBytes, entryBytes);
        }
        runtime.addBytesInFlight(heldBytes);
        offer(request);
    }

    private void offer(AppendRequest request) {
        if (!store.append(request)) {
            store.whenRoom(() -> offer(request));
        }
    }

    /** The outcome is the same for all parts, because they are stored or refused together. */
    private static Outcome outcome(AppendRequest request) {
        return request.count() == 0 ? Outcome.DURABLE : request.outcome(request.count() - 1);
    }

    @Override
    public void nextProducerId(Consumer<@Nullable Long> done) {
        producerIds
                .next(store)
                .whenComplete((id, failure) -> runtime.deliver(() -> done.accept(failure == null ? id : null)));
    }
}

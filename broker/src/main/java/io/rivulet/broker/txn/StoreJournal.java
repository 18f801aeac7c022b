package io.rivulet.broker.txn;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.TransactionalOffsets.ViewEntry;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.producer.SequenceGate;
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
        ByteBuf marker = marker(
                markers.committed(), nowMillis, markers.producerId(), markers.epoch(), SequenceGate.COORDINATOR_EPOCH);
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

    private static ByteBuf marker(boolean committed, long millis, long producerId, short epoch, int coordinatorEpoch) {
        return RecordBatchBuilder.marker(
                UnpooledByteBufAllocator.DEFAULT,
                committed ? ControlMarker.COMMIT : ControlMarker.ABORT,
                0,
                millis,
                producerId,
                epoch,
                coordinatorEpoch);
    }

    @Override
    public void append(ForeignMarker foreign, Consumer<ErrorCode> done) {
        long nowMillis = clockMillis.getAsLong();
        ByteBuf marker = marker(
                foreign.committed(), nowMillis, foreign.producerId(), foreign.epoch(), foreign.coordinatorEpoch());
        ByteBuffer source = ByteBuffer.allocate(marker.readableBytes())
                .put(marker.nioBuffer())
                .flip();
        marker.release();
        int bytes = source.remaining();
        runtime.addBytesInFlight(bytes);
        offer(new AppendRequest(
                        source,
                        AppendRequest.Wait.DURABLE,
                        request -> runtime.deliver(() -> {
                            runtime.addBytesInFlight(-bytes);
                            done.accept(error(request));
                        }))
                .gateFlags(SequenceGate.FOREIGN_MARKER | (foreign.raisesEpoch() ? SequenceGate.RAISES_EPOCH : 0))
                .add(foreign.queueId(), 0, bytes, 1, nowMillis));
    }

    private static ErrorCode error(AppendRequest request) {
        return request.outcome(0) == Outcome.REFUSED_BY_GATE
                ? ErrorMapper.ofMarker((BatchRefusal) request.refusal(0))
                : ErrorMapper.of(request.outcome(0));
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

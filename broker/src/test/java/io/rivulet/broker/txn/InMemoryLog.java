package io.rivulet.broker.txn;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareGroupSettings;
import io.rivulet.broker.config.StreamsGroupSettings;
import io.rivulet.broker.config.TransactionSettings;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.TransactionalOffsets.ViewEntry;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.group.ManualTime;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.consumer.ConsumerGroupTimeouts;
import io.rivulet.broker.group.share.KnownShareGroups;
import io.rivulet.broker.group.share.ShareParts;
import io.rivulet.broker.group.share.ShareStates;
import io.rivulet.broker.group.streams.StreamsGroupConfigs;
import io.rivulet.broker.group.streams.StreamsParts;
import io.rivulet.broker.internal.InternalTopics;
import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.producer.Verdicts;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.store.Outcome;
import io.rivulet.store.View;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Transactions on a log in memory, without threads, disk and clock. The test decides when log groups become durable or
 * are refused, and when the process crashes and restarts from a snapshot and the log after it.
 */
final class InMemoryLog {
    static final TransactionSettings SETTINGS = new TransactionSettings(60_000, 1_000_000, 1000, 100, 1 << 20);

    /** An item in a log group: an entry of the view, or a batch. */
    private sealed interface Item {
        record Entry(ByteBuffer bytes) implements Item {}

        record Batch(int queueId, long baseOffset, ByteBuffer bytes) implements Item {}
    }

    /** A log group in flight. */
    private record LogGroup(List<Item> items, Consumer<Boolean> done) {}

    final ManualTime time = new ManualTime();
    OpenTransactions open;
    TxnTable table;
    TxnCoordinator coordinator;
    private final List<List<Item>> log = new ArrayList<>();
    private final Deque<LogGroup> underWay = new ArrayDeque<>();
    private final Map<Integer, Long> ends = new HashMap<>();
    private final GroupContext context = time.context();
    private SequenceGate gate;
    private TxnView view;
    private final CoordinatorRuntime runtime = new CoordinatorRuntime(StoreClock.trusting(() -> 0), new FailureLatch());
    private final Groups groups = new Groups(
            runtime,
            BrokerConfig.of(Map.of()).groups(),
            BrokerConfig.of(Map.of()).consumerGroups(),
            ConsumerGroupTimeouts.of(BrokerConfig.of(Map.of()).consumerGroups()),
            new ShareParts(
                    ShareGroupSettings.DEFAULTS,
                    id -> ShareGroupConfig.DEFAULT,
                    ShareStates.NONE,
                    new KnownShareGroups()),
            new StreamsParts(StreamsGroupSettings.DEFAULTS, StreamsGroupConfigs.of(StreamsGroupSettings.DEFAULTS)),
            topics(),
            new InternalTopics(runtime, topics(), which -> 1).log(InternalTopic.OFFSETS));
    private long nextProducerId = 1000;
    private View.Snapshot snapshot;
    private View.Snapshot gateSnapshot;
    private int snapshotAt;
    /** The next end with markers for more queues is refused once as too large. */
    int maxQueuesTogether = Integer.MAX_VALUE;

    InMemoryLog() {
        begin();
        snapshot = view.snapshot();
        gateSnapshot = gate.snapshot();
        live();
    }

    private static TopicCatalogue topics() {
        return new TopicCatalogue(BrokerConfig.of(Map.of()).topicDefaults());
    }

    private void begin() {
        open = new OpenTransactions(SETTINGS.maxHeapBytes());
        table = new TxnTable(new TxnRecords(
                new InternalTopics(runtime, topics(), which -> 1).log(InternalTopic.TRANSACTIONS),
                open,
                runtime.clock()));
        gate = new SequenceGate(SequenceGate.IN_FLIGHT, Long.MAX_VALUE, Long.MAX_VALUE, open, () -> 0);
        gate.opened(queueId -> true);
        view = new TxnView(table, open, runtime);
    }

    private void live() {
        open.histories()
                .start(
                        queueId -> 0,
                        (queueId, beforeOffset) -> underWay.add(new LogGroup(
                                List.of(new Item.Entry(TxnEntryLayout.cleaned(queueId, beforeOffset))), done -> {})));
        coordinator = new TxnCoordinator(
                SETTINGS, table, open, new Journal(), groups.offsets(), context.timers(), context.clock());
        open.start(coordinator::transactionBegan);
        coordinator.start();
    }

    void takeSnapshot() throws IOException {
        // Written at once, so here ids are never newer than the rest of the snapshot.
        byte[] views = written(view.snapshot());
        byte[] gates = written(gate.snapshot());
        snapshot = out -> out.write(ByteBuffer.wrap(views));
        gateSnapshot = out -> out.write(ByteBuffer.wrap(gates));
        snapshotAt = log.size();
    }

    private static byte[] written(View.Snapshot taken) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        taken.writeTo(Channels.newChannel(out));
        return out.toByteArray();
    }

    /** Drops everything in flight, and replays the durable log from the last snapshot. */
    void crash() throws IOException {
        underWay.clear();
        begin();
        view.load(Channels.newChannel(new ByteArrayInputStream(written(snapshot))));
        gate.load(Channels.newChannel(new ByteArrayInputStream(written(gateSnapshot))));
        ends.clear();
        for (int i = 0; i < log.size(); i++) {
            apply(log.get(i), i >= snapshotAt);
        }
        live();
    }

    // ---- the log ----

    boolean isIdle() {
        return underWay.isEmpty();
    }

    void oneDurable() {
        LogGroup group = underWay.remove();
        log.add(group.items);
        apply(group.items, true);
        group.done.accept(true);
    }

    void allDurable() {
        while (!underWay.isEmpty()) {
            oneDurable();
        }
    }

    /** Refuses everything in flight, as a full disk does. */
    void allRefused() {
        List<LogGroup> refused = List.copyOf(underWay);
        underWay.clear();
        for (int i = refused.size() - 1; i >= 0; i--) {
            List<Item> items = refused.get(i).items;
            for (int j = items.size() - 1; j >= 0; j--) {
                if (items.get(j) instanceof Item.Batch batch) {
                    gate.rolledBack(batch.queueId, batch.baseOffset);
                    ends.put(batch.queueId, batch.baseOffset);
                }
            }
        }
        refused.forEach(group -> group.done.accept(false));
    }

    /** Refuses the last group in flight. */
    void lastRefused() {
        Deque<LogGroup> others = new ArrayDeque<>(underWay);
        LogGroup last = others.removeLast();
        underWay.clear();
        underWay.add(last);
        allRefused();
        underWay.addAll(others);
    }

    private void apply(List<Item> items, boolean applyToViews) {
        for (Item item : items) {
            if (item instanceof Item.Batch batch) {
                ends.merge(batch.queueId, batch.baseOffset + 1, Math::max);
                if (applyToViews) {
                    gate.applied(millis(), batch.queueId, batch.baseOffset, batch.bytes, 0, batch.bytes.limit());
                }
            } else if (item instanceof Item.Entry entry && applyToViews) {
                view.apply(millis(), entry.bytes.duplicate());
            }
        }
    }

    private long millis() {
        return context.clock().stampMillis();
    }

    private Item.Batch appended(int queueId, ByteBuffer batch) {
        long baseOffset = ends.getOrDefault(queueId, 0L);
        ends.put(queueId, baseOffset + 1);
        gate.appended(queueId, baseOffset, batch, 0, batch.limit());
        return new Item.Batch(queueId, baseOffset, batch);
    }

    long end(int queueId) {
        return ends.getOrDefault(queueId, 0L);
    }

    /** Appends one record, as Produce does. Returns the verdict of the gate. */
    Object produce(int queueId, long producerId, short epoch, int sequence, boolean addsItself) {
        ByteBuf built = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)
                .producer(producerId, epoch, sequence)
                .transactional()
                .append(0, null, new byte[1])
                .build();
        ByteBuffer batch = copy(built);
        Object verdict = Verdicts.of(gate, queueId, batch, 0, batch.limit(), addsItself ? SequenceGate.ADDS_ITSELF : 0);
        if (verdict == Verdicts.ADMIT) {
            underWay.add(new LogGroup(List.of(appended(queueId, batch)), done -> {}));
        }
        return verdict;
    }

    private static ByteBuffer copy(ByteBuf built) {
        ByteBuffer copy = ByteBuffer.allocate(built.readableBytes());
        built.readBytes(copy);
        built.release();
        return copy.flip();
    }

    private static ByteBuffer marker(boolean committed, long producerId, short epoch) {
        return copy(RecordBatchBuilder.marker(
                UnpooledByteBufAllocator.DEFAULT,
                committed ? ControlMarker.COMMIT : ControlMarker.ABORT,
                0,
                0,
                producerId,
                epoch,
                0));
    }

    private final class Journal implements TxnJournal {
        @Override
        public void append(ByteBuffer entry, Consumer<@Nullable Throwable> done) {
            underWay.add(new LogGroup(
                    List.of(new Item.Entry(entry)),
                    stored ->
                            done.accept(stored ? null : new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "full"))));
        }

        @Override
        public void append(
                Markers markers, @Nullable ViewEntry offsetsEntry, @Nullable ByteBuffer entry, Consumer<Outcome> done) {
            if (entry != null && markers.queueIds().length > maxQueuesTogether) {
                maxQueuesTogether = Integer.MAX_VALUE;
                done.accept(Outcome.TOO_LARGE);
                return;
            }
            ByteBuffer marker = marker(markers.committed(), markers.producerId(), markers.epoch());
            List<Item> items = new ArrayList<>();
            for (int queueId : markers.queueIds()) {
                items.add(appended(queueId, marker));
            }
            if (entry != null) {
                items.add(new Item.Entry(entry));
            }
            underWay.add(new LogGroup(items, stored -> done.accept(stored ? Outcome.DURABLE : Outcome.DISK_FULL)));
        }

        @Override
        public void append(ForeignMarker foreign, Consumer<ErrorCode> done) {
            ByteBuffer marker = marker(foreign.committed(), foreign.producerId(), foreign.epoch());
            int queueId = foreign.queueId();
            Object verdict = Verdicts.of(gate, queueId, marker, 0, marker.limit(), SequenceGate.FOREIGN_MARKER);
            if (verdict == Verdicts.ADMIT) {
                underWay.add(new LogGroup(
                        List.of(appended(queueId, marker)),
                        stored -> done.accept(stored ? ErrorCode.NONE : ErrorCode.KAFKA_STORAGE_ERROR)));
            } else {
                done.accept(ErrorMapper.ofMarker((BatchRefusal) verdict));
            }
        }

        @Override
        public void nextProducerId(Consumer<@Nullable Long> done) {
            done.accept(nextProducerId++);
        }
    }

    // ---- requests ----

    InitProducerIdResponse init(String id, long producerId, short epoch) {
        InitProducerIdResponse[] answer = {null};
        coordinator.init(
                new InitProducerIdRequest()
                        .transactionalId(id)
                        .transactionTimeoutMs(10_000)
                        .producerId(producerId)
                        .producerEpoch(epoch),
                (short) 5,
                response -> answer[0] = response);
        allDurable();
        return answer[0];
    }

    InitProducerIdResponse init(String id) {
        return init(id, -1, (short) -1);
    }

    /** The array holds null until the response is sent. */
    EndTxnResponse[] end(String id, long producerId, int epoch, boolean commit, int version) {
        EndTxnResponse[] answer = {null};
        coordinator.end(
                new EndTxnRequest()
                        .transactionalId(id)
                        .producerId(producerId)
                        .producerEpoch((short) epoch)
                        .committed(commit),
                (short) version,
                response -> answer[0] = response);
        return answer;
    }

    /** Aborts the producer's transaction in one queue, as an administrator does. */
    void abort(int queueId, long producerId, short epoch) {
        coordinator
                .ending()
                .mark(new TxnJournal.ForeignMarker(producerId, epoch, 0, false, false, queueId), error -> {});
    }

    /** The durable state, sorted. */
    String dump(int queues) {
        StringBuilder results = new StringBuilder();
        table.names().stream().sorted().forEach(name -> {
            TxnImage image = Objects.requireNonNull(table.find(name)).image;
            OpenTransactions.Open what = open.describe(image.producerId());
            results.append(image)
                    .append(' ')
                    .append(what.queues().stream()
                            .filter(queueId -> open.histories().firstOffset(queueId, image.producerId()) >= 0)
                            .sorted()
                            .toList())
                    .append('\n');
        });
        for (int queueId = 0; queueId < queues; queueId++) {
            results.append(queueId)
                    .append(": ")
                    .append(open.histories().firstOpenOffset(queueId))
                    .append(' ');
            open.histories()
                    .aborted(queueId, 0, Long.MAX_VALUE, producerId -> true)
                    .forEach(one -> results.append(one.producerId())
                            .append('@')
                            .append(one.firstOffset())
                            .append(' '));
            results.append('\n');
        }
        return results.toString();
    }
}

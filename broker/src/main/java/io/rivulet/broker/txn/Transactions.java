package io.rivulet.broker.txn;

import io.rivulet.broker.config.TransactionSettings;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.TransactionalOffsets;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.internal.InternalLog;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.producer.TransactionGate;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entry point to transactions: creates their parts, and passes requests to the coordinator thread.
 *
 * <p>Thread-safe, except for the methods that the coordinator thread alone may call.
 */
public final class Transactions {
    /** The view id of each entry in the log. */
    public static final int VIEW_ID = TxnView.VIEW_ID;

    /** The version of transactions in which each end raises the epoch. */
    private static final byte EPOCHS_RISE_FROM_VERSION = 2;

    /**
     * A transactional id, for administrators. Immutable.
     *
     * @param beganMillis when its transaction began, also if it has ended; -1 if there was none since InitProducerId
     * @param queueIds the queues of the open transaction; empty in a list of all ids
     */
    public record Description(
            String id,
            String stateName,
            long producerId,
            short epoch,
            int timeoutMillis,
            long beganMillis,
            Set<Integer> queueIds) {}

    private final TransactionSettings settings;
    private final CoordinatorRuntime runtime;
    private final TransactionalOffsets offsets;
    private final ProducerIds producerIds;
    private final TxnTable table;
    private final OpenTransactions open;
    private final TxnView view;
    private @Nullable TxnCoordinator coordinator;

    public Transactions(
            CoordinatorRuntime runtime,
            TransactionSettings settings,
            TransactionalOffsets offsets,
            ProducerIds producerIds,
            InternalLog internal) {
        this.runtime = runtime;
        this.settings = settings;
        this.offsets = offsets;
        this.producerIds = producerIds;
        this.open = new OpenTransactions(settings.maxHeapBytes());
        TxnRecords records = new TxnRecords(internal, open, runtime.clock());
        this.table = new TxnTable(records);
        internal.source(new TxnStateSource(table, records));
        this.view = new TxnView(table, open, runtime);
    }

    public View view() {
        return view;
    }

    public TransactionGate gate() {
        return open;
    }

    public QueueHistories histories() {
        return open.histories();
    }

    /** Starts after the store has replayed its log, and before the groups. */
    public void start(Store store) {
        CoordinatorClock clock = runtime.clock();
        StoreJournal journal = new StoreJournal(store, runtime, producerIds, clock.stamp());
        TxnCoordinator started = new TxnCoordinator(settings, table, open, journal, offsets, runtime.timers(), clock);
        coordinator = started;
        TxnExpiry expiry = new TxnExpiry(settings, started, table, runtime.timers(), clock);
        view.goLive();
        open.histories()
                .start(
                        queueId -> store.exists(queueId) ? store.startOffset(queueId) : QueueHistories.NO_QUEUE,
                        (queueId, beforeOffset) -> runtime.deliver(
                                () -> journal.append(TxnEntryLayout.cleaned(queueId, beforeOffset), failure -> {})));
        runtime.deliver(() -> {
            open.start(producerId -> runtime.deliver(() -> started.transactionBegan(producerId)));
            started.start();
            expiry.start();
        });
    }

    // ---- for the coordinator thread ----

    public TxnCoordinator coordinator() {
        TxnCoordinator started = coordinator;
        if (started == null) {
            throw new IllegalStateException("transactions have not been started");
        }
        return started;
    }

    /** Writes one marker into a queue, in any state of the transactional id. */
    public void mark(WritableTxnMarker marker, int queueId, Consumer<ErrorCode> done) {
        TxnJournal.ForeignMarker foreign = new TxnJournal.ForeignMarker(
                marker.producerId(),
                marker.producerEpoch(),
                marker.coordinatorEpoch(),
                marker.transactionVersion() >= EPOCHS_RISE_FROM_VERSION,
                marker.transactionResult(),
                queueId);
        coordinator().ending().mark(foreign, done);
    }

    /** The names of all transactional ids. */
    public List<String> names() {
        return table.names();
    }

    public int size() {
        return table.size();
    }

    /** Describes the id without the queues of its transaction. */
    public @Nullable Description outline(String name) {
        TransactionalId id = table.find(name);
        return id == null
                ? null
                : describe(id.image, new OpenTransactions.Open(open.beganMillis(id.image.producerId()), Set.of()));
    }

    /** The number of queues of its transaction. */
    public int queueCount(String name) {
        TransactionalId id = table.find(name);
        return id == null ? 0 : open.queueCount(id.image.producerId());
    }

    public @Nullable Description describe(String name) {
        TransactionalId id = table.find(name);
        return id == null ? null : describe(id.image, open.describe(id.image.producerId()));
    }

    private Description describe(TxnImage image, OpenTransactions.Open what) {
        boolean ongoing = !image.state().isDecided() && open.isOpen(image.producerId());
        return new Description(
                image.id(),
                ongoing ? TxnState.OPEN_NAME : image.state().kafkaName(),
                image.producerId(),
                image.epoch(),
                image.timeoutMillis(),
                what.beganMillis() < 0 && !ongoing ? lastBeganMillis(image) : what.beganMillis(),
                what.queues());
    }

    /** When the last transaction began. After a restart, the time of its end stands for it. */
    private long lastBeganMillis(TxnImage image) {
        if (image.state() == TxnState.EMPTY) {
            return -1;
        }
        long known = open.lastBeganMillis(image.producerId());
        return known < 0 ? image.changedMillis() : known;
    }
}

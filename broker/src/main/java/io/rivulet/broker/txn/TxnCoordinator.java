package io.rivulet.broker.txn;

import io.rivulet.broker.config.TransactionSettings;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.coordinator.TransactionalOffsets;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.limit.LimitLog;
import io.rivulet.protocol.message.AddOffsetsToTxnRequest;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.message.TxnOffsetCommitResponse;
import io.rivulet.store.failure.LogLimit;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the requests that begin, extend and end transactions. Every request gets one response, now or later. While an
 * entry about a transactional id is in flight, other requests that would change the id get CONCURRENT_TRANSACTIONS, and
 * clients retry them.
 *
 * <p>There are two protocols. In the first a producer keeps its epoch from transaction to transaction and adds
 * partitions before it writes. In the second (KIP-890; EndTxn from version 5) each end raises the epoch, so late
 * requests never reach the next transaction.
 *
 * <p>Owned by: the coordinator thread. It starts no threads, so a test can run it on its own.
 */
public final class TxnCoordinator {
    private static final Logger LOG = LoggerFactory.getLogger(TxnCoordinator.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    private static final short FENCED_FROM_VERSION = 2;
    private static final short EPOCHS_RISE_FROM_VERSION = 5;
    private static final short OFFSETS_ADD_THEMSELVES_FROM_VERSION = 5;
    private static final short OFFSETS_ABORTABLE_FROM_VERSION = 4;
    private static final long RETRY_MILLIS = 100;
    private static final int[] NO_QUEUES = {};

    private final TxnTable table;
    private final OpenTransactions open;
    private final TxnJournal journal;
    private final TxnEnding ending;
    private final TxnProducerInit inits;
    private final TransactionalOffsets offsets;
    private final Timers timers;
    private final CoordinatorClock clock;
    /** Queues whose ADDED entry is in flight. */
    private int queuesComing;

    TxnCoordinator(
            TransactionSettings settings,
            TxnTable table,
            OpenTransactions open,
            TxnJournal journal,
            TransactionalOffsets offsets,
            Timers timers,
            CoordinatorClock clock) {
        this.table = table;
        this.open = open;
        this.journal = journal;
        this.offsets = offsets;
        this.timers = timers;
        this.clock = clock;
        this.ending = new TxnEnding(open, journal, offsets, timers, clock);
        this.inits = new TxnProducerInit(settings, table, open, journal, ending, clock);
    }

    /** Starts after the replay: finishes decided transactions. */
    void start() {
        for (TransactionalId id : List.copyOf(table.all())) {
            if (id.image.state().isDecided()) {
                id.busy = true;
                ending.finish(id);
            }
        }
    }

    TxnEnding ending() {
        return ending;
    }

    // ---- taking over an id ----

    public void init(InitProducerIdRequest request, short version, Consumer<InitProducerIdResponse> reply) {
        inits.init(request, version, reply);
    }

    /** The response that refuses a producer with or without a transactional id. */
    public static InitProducerIdResponse refused(ErrorCode error) {
        return TxnProducerInit.refused(error);
    }

    static ErrorCode fenced(short version, short fromVersion) {
        return version >= fromVersion ? ErrorCode.PRODUCER_FENCED : ErrorCode.INVALID_PRODUCER_EPOCH;
    }

    // ---- adding to a transaction ----

    /** Whether the queue has been added to the transaction. */
    public ErrorCode verify(String name, long producerId, short epoch, int queueId, short version) {
        ErrorCode error = check(table.find(name), name, producerId, epoch, version);
        if (error == ErrorCode.NONE && !open.hasAll(producerId, new int[] {queueId})) {
            return ErrorCode.TRANSACTION_ABORTABLE;
        }
        return error;
    }

    /** Adds queues to the transaction. */
    public void add(
            String name, long producerId, short epoch, int[] queueIds, short version, Consumer<ErrorCode> reply) {
        ErrorCode error = check(table.find(name), name, producerId, epoch, version);
        TransactionalId id = table.find(name);
        if (error != ErrorCode.NONE || id == null) {
            reply.accept(error);
        } else {
            add(id, queueIds, reply);
        }
    }

    public void addOffsets(AddOffsetsToTxnRequest request, short version, Consumer<ErrorCode> reply) {
        TransactionalId id = table.find(request.transactionalId());
        ErrorCode error = check(id, request.transactionalId(), request.producerId(), request.producerEpoch(), version);
        if (error == ErrorCode.NONE && request.groupId().isEmpty()) {
            error = ErrorCode.INVALID_GROUP_ID;
        }
        if (error != ErrorCode.NONE || id == null) {
            reply.accept(error);
        } else {
            add(id, NO_QUEUES, reply);
        }
    }

    private static ErrorCode check(
            @Nullable TransactionalId id, String name, long producerId, short epoch, short version) {
        if (name.isEmpty()) {
            return ErrorCode.INVALID_REQUEST;
        }
        if (id == null || id.image.producerId() != producerId) {
            return ErrorCode.INVALID_PRODUCER_ID_MAPPING;
        }
        if (id.image.epoch() != epoch) {
            return fenced(version, FENCED_FROM_VERSION);
        }
        return id.busy || id.image.state().isDecided() ? ErrorCode.CONCURRENT_TRANSACTIONS : ErrorCode.NONE;
    }

    private void add(TransactionalId id, int[] queueIds, Consumer<ErrorCode> reply) {
        TxnImage image = id.image;
        if (open.hasAll(image.producerId(), queueIds)) {
            reply.accept(ErrorCode.NONE);
            return;
        }
        if (!open.hasRoomFor(image.producerId(), queueIds, queuesComing)) {
            LimitLog.refused("rivulet.transactions.bytes", "partitions of a transaction");
            reply.accept(ErrorCode.POLICY_VIOLATION);
            return;
        }
        id.busy = true;
        queuesComing += queueIds.length;
        journal.append(TxnEntryLayout.added(image.producerId(), image.epoch(), queueIds), failure -> {
            id.busy = false;
            queuesComing -= queueIds.length;
            reply.accept(failure == null ? ErrorCode.NONE : Journal.errorOf(failure));
        });
    }

    /** Commits offsets of a group in the transaction, and begins the transaction if needed. */
    public void commitOffsets(TxnOffsetCommitRequest request, short version, Consumer<TxnOffsetCommitResponse> reply) {
        TransactionalId id = table.find(request.transactionalId());
        ErrorCode error =
                check(id, request.transactionalId(), request.producerId(), request.producerEpoch(), (short) 0);
        boolean begun = error != ErrorCode.NONE || open.isOpen(request.producerId());
        if (error == ErrorCode.NONE && !begun && version < OFFSETS_ADD_THEMSELVES_FROM_VERSION) {
            error = version >= OFFSETS_ABORTABLE_FROM_VERSION
                    ? ErrorCode.TRANSACTION_ABORTABLE
                    : ErrorCode.INVALID_TXN_STATE;
        }
        if (error != ErrorCode.NONE || id == null) {
            reply.accept(TransactionalOffsets.refused(request, error));
            return;
        }
        id.offsetsUnderWay++;
        Consumer<TxnOffsetCommitResponse> done = response -> {
            id.offsetsUnderWay--;
            reply.accept(response);
        };
        if (begun) {
            offsets.commitInTransaction(request, version, done);
            return;
        }
        add(id, NO_QUEUES, added -> {
            if (added == ErrorCode.NONE) {
                offsets.commitInTransaction(request, version, done);
            } else {
                done.accept(TransactionalOffsets.refused(request, added));
            }
        });
    }

    // ---- ending a transaction ----

    public void end(EndTxnRequest request, short version, Consumer<EndTxnResponse> reply) {
        TransactionalId id = table.find(request.transactionalId());
        if (request.transactionalId().isEmpty()) {
            reply.accept(refusedEnd(ErrorCode.INVALID_REQUEST));
        } else if (id == null) {
            reply.accept(refusedEnd(ErrorCode.INVALID_PRODUCER_ID_MAPPING));
        } else if (version >= EPOCHS_RISE_FROM_VERSION) {
            endRaising(id, request, reply);
        } else {
            endKeeping(id, request, version, reply);
        }
    }

    /** The first protocol: a repeated request succeeds if the transaction has ended as requested. */
    private void endKeeping(TransactionalId id, EndTxnRequest request, short version, Consumer<EndTxnResponse> reply) {
        TxnImage image = id.image;
        TxnState wanted = request.committed() ? TxnState.COMMITTED : TxnState.ABORTED;
        if (image.producerId() != request.producerId()) {
            reply.accept(refusedEnd(ErrorCode.INVALID_PRODUCER_ID_MAPPING));
        } else if (image.epoch() != request.producerEpoch()) {
            reply.accept(refusedEnd(fenced(version, FENCED_FROM_VERSION)));
        } else if (id.isBusy()) {
            reply.accept(refusedEnd(ErrorCode.CONCURRENT_TRANSACTIONS));
        } else if (open.isOpen(image.producerId())) {
            TxnImage over =
                    image.over(request.committed(), image.producerId(), image.epoch(), false, clock.stampMillis());
            ending.end(id, over, image.epoch(), error -> reply.accept(ended(error, over)));
        } else {
            reply.accept(refusedEnd(image.state() == wanted ? ErrorCode.NONE : ErrorCode.INVALID_TXN_STATE));
        }
    }

    /**
     * The second protocol: the epoch shows whether the request is about the open transaction, or repeats the one that
     * ended the last transaction.
     */
    private void endRaising(TransactionalId id, EndTxnRequest request, Consumer<EndTxnResponse> reply) {
        TxnImage image = id.image;
        boolean rotated = request.producerId() == image.previousId()
                && request.producerEpoch() == image.previousEpoch()
                && image.epoch() == 0;
        boolean raised = request.producerId() == image.producerId()
                && request.producerEpoch() == image.previousEpoch()
                && image.epoch() == request.producerEpoch() + 1;
        boolean isOpen = open.isOpen(image.producerId());
        boolean isOver = image.state() == TxnState.COMMITTED || image.state() == TxnState.ABORTED;
        boolean repeated = !isOpen && isOver && (rotated || raised);
        if (image.producerId() != request.producerId() && !rotated) {
            reply.accept(refusedEnd(ErrorCode.INVALID_PRODUCER_ID_MAPPING));
        } else if (image.producerId() == request.producerId()
                && image.epoch() != request.producerEpoch()
                && !repeated) {
            reply.accept(refusedEnd(ErrorCode.PRODUCER_FENCED));
        } else if (id.isBusy()) {
            reply.accept(refusedEnd(ErrorCode.CONCURRENT_TRANSACTIONS));
        } else if (repeated) {
            boolean asWanted = image.state().isCommit() == request.committed();
            reply.accept(asWanted ? ended(ErrorCode.NONE, image) : refusedEnd(ErrorCode.INVALID_TXN_STATE));
        } else if (rotated || (!isOpen && request.committed())) {
            reply.accept(refusedEnd(rotated ? ErrorCode.PRODUCER_FENCED : ErrorCode.INVALID_TXN_STATE));
        } else {
            raiseAndEnd(id, request.committed(), reply);
        }
    }

    private void raiseAndEnd(TransactionalId id, boolean committed, Consumer<EndTxnResponse> reply) {
        TxnImage image = id.image;
        short markerEpoch = (short) (image.epoch() + 1);
        if (!image.isExhausted()) {
            TxnImage over = image.over(committed, image.producerId(), markerEpoch, true, clock.stampMillis());
            ending.end(id, over, markerEpoch, error -> reply.accept(ended(error, over)));
            return;
        }
        id.busy = true;
        journal.nextProducerId(next -> {
            id.busy = false;
            if (next == null) {
                reply.accept(refusedEnd(ErrorCode.COORDINATOR_NOT_AVAILABLE));
            } else {
                TxnImage over = image.over(committed, next, (short) 0, true, clock.stampMillis());
                ending.end(id, over, markerEpoch, error -> reply.accept(ended(error, over)));
            }
        });
    }

    private static EndTxnResponse ended(ErrorCode error, TxnImage image) {
        return error == ErrorCode.NONE
                ? new EndTxnResponse().producerId(image.producerId()).producerEpoch(image.epoch())
                : refusedEnd(error);
    }

    public static EndTxnResponse refusedEnd(ErrorCode error) {
        return new EndTxnResponse().errorCode(error.code());
    }

    // ---- timeout and expiry ----

    /** The producer has begun a transaction, or had an open one when the broker started. */
    void transactionBegan(long producerId) {
        TransactionalId id = table.find(producerId);
        if (id == null || !open.isOpen(producerId)) {
            return;
        }
        table.began(id);
        Timers.Timer timer = id.timer;
        if (timer == null) {
            timer = timers.timer(() -> timeout(id));
            id.timer = timer;
        }
        long began = open.beganMillis(producerId);
        long passedMillis = began < 0 ? 0 : Math.max(0, clock.expiryMillis() - began);
        timer.set(clock.nanosIn(Math.max(0, id.image.timeoutMillis() - passedMillis)));
    }

    private void timeout(TransactionalId id) {
        long producerId = id.image.producerId();
        if (!open.isOpen(producerId) || id.image.state().isDecided()) {
            return;
        }
        if (id.isBusy()) {
            retryTimeout(id);
        } else {
            LIMIT.log(more -> LOG.info(
                    "The transaction of {} is aborted: it was open for more than {} ms{}",
                    id.image.id(),
                    id.image.timeoutMillis(),
                    more));
            ending.fence(id, error -> {
                if (error != ErrorCode.NONE) {
                    retryTimeout(id);
                }
            });
        }
    }

    private void retryTimeout(TransactionalId id) {
        if (id.timer != null) {
            id.timer.set(clock.nanosIn(RETRY_MILLIS));
        }
    }

    /** Removes the id if it has not changed since that time. */
    void expire(TransactionalId id, long beforeMillis) {
        id.image = id.image.changedUpTo(clock.stampMillis());
        long producerId = id.image.producerId();
        boolean isOld = !id.isBusy() && id.image.changedMillis() < beforeMillis;
        if (isOld && open.closeIfIdle(producerId)) {
            id.busy = true;
            journal.append(TxnEntryLayout.forgotten(id.image), failure -> {
                id.busy = false;
                if (failure != null) {
                    open.reopen(producerId);
                }
            });
        }
    }
}

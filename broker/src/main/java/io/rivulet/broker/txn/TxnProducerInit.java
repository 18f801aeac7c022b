package io.rivulet.broker.txn;

import io.rivulet.broker.config.TransactionSettings;
import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.limit.Admission;
import io.rivulet.broker.limit.LimitLog;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * InitProducerId with a transactional id: creates the id, or gives an existing one to the producer that asks. That
 * producer gets a new epoch, its open transaction is aborted, and the producer that had the id before is fenced.
 *
 * <p>Owned by: the coordinator thread.
 */
final class TxnProducerInit {
    private static final short FENCED_FROM_VERSION = 4;
    /** Half of the heap that transactions may take is for ids. */
    private static final int SHARE_OF_IDS = 2;

    private final TransactionSettings settings;
    private final TxnTable table;
    private final OpenTransactions open;
    private final TxnJournal journal;
    private final TxnEnding ending;
    private final CoordinatorClock clock;
    private final Admission ids;
    private final Admission idBytes;
    /** Ids whose first image is in flight to the log. */
    private final Set<String> creating = new HashSet<>();

    TxnProducerInit(
            TransactionSettings settings,
            TxnTable table,
            OpenTransactions open,
            TxnJournal journal,
            TxnEnding ending,
            CoordinatorClock clock) {
        this.settings = settings;
        this.table = table;
        this.open = open;
        this.journal = journal;
        this.ending = ending;
        this.clock = clock;
        this.ids = new Admission(settings.maxIds(), table::size);
        this.idBytes = new Admission(settings.maxHeapBytes() / SHARE_OF_IDS, table::heapBytes);
    }

    void init(InitProducerIdRequest request, short version, Consumer<InitProducerIdResponse> reply) {
        String name = request.transactionalId();
        boolean timeoutAllowed =
                request.transactionTimeoutMs() > 0 && request.transactionTimeoutMs() <= settings.maxTimeoutMillis();
        if (name == null || name.isEmpty() || (request.producerId() < 0) != (request.producerEpoch() < 0)) {
            reply.accept(refused(ErrorCode.INVALID_REQUEST));
        } else if (!timeoutAllowed) {
            reply.accept(refused(ErrorCode.INVALID_TRANSACTION_TIMEOUT));
        } else if (creating.contains(name)) {
            reply.accept(refused(ErrorCode.CONCURRENT_TRANSACTIONS));
        } else {
            TransactionalId id = table.find(name);
            if (id == null) {
                create(name, request.transactionTimeoutMs(), reply);
            } else {
                take(id, request, version, reply);
            }
        }
    }

    private void create(String name, int timeoutMillis, Consumer<InitProducerIdResponse> reply) {
        if (name.length() > Short.MAX_VALUE / 3 || !reserve(name)) {
            LimitLog.refused("rivulet.max.transactional.ids or rivulet.transactions.bytes", "a transactional id");
            reply.accept(refused(ErrorCode.POLICY_VIOLATION));
            return;
        }
        journal.nextProducerId(producerId -> {
            if (producerId == null) {
                release(name);
                reply.accept(refused(ErrorCode.COORDINATOR_NOT_AVAILABLE));
                return;
            }
            TxnImage first = TxnImage.first(name, producerId, timeoutMillis, clock.stampMillis());
            journal.append(TxnEntryLayout.image(first), failure -> {
                release(name);
                reply.accept(failure == null ? taken(first) : refused(Journal.errorOf(failure)));
            });
        });
    }

    /** Until {@link #release}, the id counts as if it existed. */
    private boolean reserve(String name) {
        if (!ids.reserve(1)) {
            return false;
        }
        if (!idBytes.reserve(TxnTable.heapBytes(name))) {
            ids.release(1);
            return false;
        }
        creating.add(name);
        return true;
    }

    private void release(String name) {
        creating.remove(name);
        ids.release(1);
        idBytes.release(TxnTable.heapBytes(name));
    }

    private void take(
            TransactionalId id, InitProducerIdRequest request, short version, Consumer<InitProducerIdResponse> reply) {
        TxnImage image = id.image;
        boolean again = request.producerId() >= 0;
        boolean itsOwn = request.producerId() == image.producerId()
                || (request.producerId() == image.previousId() && request.producerEpoch() >= TxnImage.LAST_EPOCH);
        if (id.isBusy()) {
            reply.accept(refused(ErrorCode.CONCURRENT_TRANSACTIONS));
        } else if (again && !itsOwn) {
            reply.accept(refused(TxnCoordinator.fenced(version, FENCED_FROM_VERSION)));
        } else if (open.isOpen(image.producerId())) {
            ending.fence(id, failure -> {
                if (failure == ErrorCode.NONE) {
                    take(id, request, version, reply);
                } else {
                    reply.accept(refused(failure));
                }
            });
        } else if (again && request.producerEpoch() != image.epoch()) {
            // The producer repeats a request whose response was lost. If another producer had taken over the id since,
            // there would be no previous epoch.
            boolean repeated =
                    image.previousEpoch() != TxnImage.NO_EPOCH && request.producerEpoch() == image.previousEpoch();
            reply.accept(repeated ? taken(image) : refused(TxnCoordinator.fenced(version, FENCED_FROM_VERSION)));
        } else if (open.closeIfIdle(image.producerId())) {
            raise(id, request.transactionTimeoutMs(), again, reply);
        } else {
            take(id, request, version, reply); // A batch has begun a transaction meanwhile.
        }
    }

    /** The gate admits no batch of the previous epoch any more. */
    private void raise(
            TransactionalId id, int timeoutMillis, boolean mayRepeat, Consumer<InitProducerIdResponse> reply) {
        TxnImage image = id.image;
        short previous = mayRepeat ? image.epoch() : TxnImage.NO_EPOCH;
        id.busy = true;
        if (image.isExhausted()) {
            journal.nextProducerId(next -> {
                if (next == null) {
                    id.busy = false;
                    open.reopen(image.producerId());
                    reply.accept(refused(ErrorCode.COORDINATOR_NOT_AVAILABLE));
                } else {
                    rename(id, image.renamed(next, (short) 0, previous, timeoutMillis, clock.stampMillis()), reply);
                }
            });
        } else {
            short epoch = (short) (image.epoch() + 1);
            rename(id, image.renamed(image.producerId(), epoch, previous, timeoutMillis, clock.stampMillis()), reply);
        }
    }

    private void rename(TransactionalId id, TxnImage image, Consumer<InitProducerIdResponse> reply) {
        long previousId = id.image.producerId();
        journal.append(TxnEntryLayout.image(image), failure -> {
            id.busy = false;
            if (failure != null) {
                open.reopen(previousId);
            }
            reply.accept(failure == null ? taken(image) : refused(Journal.errorOf(failure)));
        });
    }

    private static InitProducerIdResponse taken(TxnImage image) {
        return new InitProducerIdResponse().producerId(image.producerId()).producerEpoch(image.epoch());
    }

    /** The response that refuses a producer with or without a transactional id. */
    static InitProducerIdResponse refused(ErrorCode error) {
        return new InitProducerIdResponse()
                .errorCode(error.code())
                .producerId(TxnImage.NO_ID)
                .producerEpoch(TxnImage.NO_EPOCH);
    }
}

package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.CoordinatorClock;
import io.rivulet.broker.internal.RecordBytes;
import io.rivulet.broker.internal.RecordSink;
import io.rivulet.protocol.message.TransactionLogKey;
import io.rivulet.protocol.message.TransactionLogValue;
import java.util.List;

/**
 * Writes transactional ids as the records of {@code __transaction_state}.
 *
 * <p>Owned by: the coordinator thread.
 */
final class TxnRecords {
    private static final int KEY = 0;
    private static final int VERSION = 1;
    private static final short CLIENT_VERSION = 2;

    private final RecordSink log;
    private final OpenTransactions open;
    private final CoordinatorClock clock;

    TxnRecords(RecordSink log, OpenTransactions open, CoordinatorClock clock) {
        this.log = log;
        this.open = open;
        this.clock = clock;
    }

    /** Whether there is a reader. */
    boolean areRead() {
        return log.isRead();
    }

    void flush() {
        log.flush();
    }

    /** Writes the id as it is now. */
    void write(TxnImage image) {
        boolean ongoing = !image.state().isDecided() && open.isOpen(image.producerId());
        TransactionLogValue value = new TransactionLogValue()
                .producerId(image.producerId())
                .previousProducerId(image.previousId())
                .nextProducerId(image.nextId())
                .producerEpoch(image.epoch())
                .nextProducerEpoch(image.nextEpoch())
                .transactionTimeoutMs(image.timeoutMillis())
                .transactionStatus(
                        ongoing ? TxnState.KAFKAS_OPEN_NUMBER : image.state().kafkasNumber())
                .transactionPartitions(ongoing || image.state() != TxnState.EMPTY ? List.of() : null)
                .transactionLastUpdateTimestampMs(image.changedMillis())
                .transactionStartTimestampMs(
                        ongoing ? open.beganMillis(image.producerId()) : open.lastBeganMillis(image.producerId()))
                .clientTransactionVersion(CLIENT_VERSION);
        log.put(image.id(), clock.stampMillis(), key(image.id()), RecordBytes.value(value, VERSION));
    }

    void forgotten(String id) {
        log.put(id, clock.stampMillis(), key(id), null);
    }

    private static byte[] key(String id) {
        return RecordBytes.key(KEY, new TransactionLogKey().transactionalId(id));
    }
}

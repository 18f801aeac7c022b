package io.rivulet.broker.error;

import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.broker.producer.SequenceHeader;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.failure.LogLimit;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where failures become error codes. Stateless. */
public final class ErrorMapper {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    /** Messages that were logged: at most one for each codec. */
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    /** Produce from this version on knows TRANSACTION_ABORTABLE. */
    private static final short ABORTABLE_FROM_VERSION = 11;
    /** Clients with Produce from this version on retry after CONCURRENT_TRANSACTIONS. */
    private static final short CONCURRENT_FROM_VERSION = 12;

    private ErrorMapper() {}

    /** The code and message of a failure. A failure that is not a client's mistake is logged here. */
    public static RefusedException refusal(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof RefusedException refused) {
            return refused;
        }
        if (cause instanceof ConfigException config) {
            return new RefusedException(ErrorCode.INVALID_CONFIG, String.valueOf(config.getMessage()));
        }
        if (cause instanceof InvalidBatchException invalid) {
            if (invalid.reason() == InvalidBatchException.Reason.CODEC_UNAVAILABLE) {
                logOnce(String.valueOf(invalid.getMessage()));
            }
            return new RefusedException(of(invalid.reason()), String.valueOf(invalid.getMessage()));
        }
        if (cause instanceof NotStoredException notStored) {
            return new RefusedException(of(notStored.outcome()), String.valueOf(notStored.getMessage()));
        }
        LIMIT.log(more -> LOG.error("A request failed{}", more, cause));
        return new RefusedException(
                ErrorCode.UNKNOWN_SERVER_ERROR, "the broker failed to handle the request; its log has the reason");
    }

    /** Each batch of the codec would log the same. */
    private static void logOnce(String missing) {
        if (LOGGED.add(missing)) {
            LOG.error(
                    "Batches are refused: {}. Set another directory with -Djava.io.tmpdir and restart the broker",
                    missing);
        }
    }

    public static ErrorCode of(InvalidBatchException.Reason reason) {
        return switch (reason) {
            // Kafka treats an unknown magic as corruption.
            case CORRUPT, UNKNOWN_MAGIC -> ErrorCode.CORRUPT_MESSAGE;
            // From version 3 on, Produce has one batch of magic 2 for each partition; for others Kafka has this code.
            case INVALID_RECORD, NO_KEY, TOO_MANY_BATCHES, OLD_MAGIC -> ErrorCode.INVALID_RECORD;
            case UNSUPPORTED_COMPRESSION, CODEC_UNAVAILABLE -> ErrorCode.UNSUPPORTED_COMPRESSION_TYPE;
            case INVALID_TIMESTAMP -> ErrorCode.INVALID_TIMESTAMP;
            case BATCH_TOO_LARGE -> ErrorCode.MESSAGE_TOO_LARGE;
        };
    }

    /**
     * The refusal of a batch by the gate for sequences.
     *
     * @param version of Produce: clients with older versions do not know some codes
     */
    public static RefusedException refusal(BatchRefusal reason, SequenceHeader batch, short version) {
        String producer = " of producer " + batch.producerId();
        return switch (reason) {
            case FENCED ->
                new RefusedException(
                        ErrorCode.INVALID_PRODUCER_EPOCH,
                        "epoch " + batch.epoch() + producer + " is not its current epoch");
            case UNKNOWN_PRODUCER ->
                new RefusedException(
                        ErrorCode.INVALID_PRODUCER_ID_MAPPING,
                        "no transactional id has producer " + batch.producerId());
            case NOT_ADDED ->
                new RefusedException(
                        version >= ABORTABLE_FROM_VERSION
                                ? ErrorCode.TRANSACTION_ABORTABLE
                                : ErrorCode.INVALID_TXN_STATE,
                        "the partition is not in an open transaction" + producer);
            // Clients retry.
            case ENDING ->
                new RefusedException(
                        version >= CONCURRENT_FROM_VERSION
                                ? ErrorCode.CONCURRENT_TRANSACTIONS
                                : ErrorCode.NOT_ENOUGH_REPLICAS,
                        "the coordinator is ending the transaction" + producer);
            case NOT_TRANSACTIONAL ->
                new RefusedException(
                        ErrorCode.INVALID_TXN_STATE,
                        "the batch is not transactional, but the partition is in an open transaction" + producer);
            case COORDINATOR_FENCED ->
                new RefusedException(ofMarker(reason), "the coordinator's epoch is older than that of the last marker");
            case TOO_MANY ->
                new RefusedException(
                        ErrorCode.POLICY_VIOLATION,
                        "transactions take too much memory; see rivulet.transactions.bytes and"
                                + " rivulet.producers.bytes");
            // As for a full disk: clients retry.
            case TOO_MANY_NEW ->
                new RefusedException(
                        ErrorCode.KAFKA_STORAGE_ERROR, "too many new producers at the same time; retry later");
            case OUT_OF_ORDER ->
                new RefusedException(
                        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                        "sequence " + batch.baseSequence() + producer + " is not the next sequence");
        };
    }

    /** The code for a refused marker of an administrator. */
    public static ErrorCode ofMarker(BatchRefusal reason) {
        return reason == BatchRefusal.COORDINATOR_FENCED
                ? ErrorCode.TRANSACTION_COORDINATOR_FENCED
                : ErrorCode.INVALID_PRODUCER_EPOCH;
    }

    /** The code for the outcome of an append or a state change. */
    public static ErrorCode of(Outcome outcome) {
        return switch (outcome) {
            case WRITTEN, DURABLE, DUPLICATE -> ErrorCode.NONE;
            case NO_QUEUE -> ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
            case TOO_LARGE -> ErrorCode.MESSAGE_TOO_LARGE;
            // Clients retry. With UNKNOWN, the batch may have been stored.
            case DISK_FULL, REFUSED, UNKNOWN -> ErrorCode.KAFKA_STORAGE_ERROR;
            // A refusal by the gate has its own mapping above.
            case REFUSED_BY_GATE, PENDING -> ErrorCode.UNKNOWN_SERVER_ERROR;
        };
    }

    public static ErrorCode of(ReadStatus status) {
        return switch (status) {
            case BATCHES, AT_END -> ErrorCode.NONE;
            case OUT_OF_RANGE -> ErrorCode.OFFSET_OUT_OF_RANGE;
            case NO_QUEUE -> ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
            case NOT_IN_TAIL -> throw new IllegalArgumentException("the read must continue outside of the tail");
        };
    }
}

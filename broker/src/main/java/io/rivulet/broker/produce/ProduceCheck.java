package io.rivulet.broker.produce;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse.TopicProduceResponse;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.Store;
import java.util.BitSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks the batches of one request one by one. It can stop between two batches and continue on another thread.
 *
 * <p>Owned by: one thread at a time.
 */
final class ProduceCheck {
    private static final short TOPIC_IDS_FROM_VERSION = 13;

    private final Call call;
    private final ProduceRequest request;
    private final @Nullable Topic[] topics;
    private final @Nullable BitSet denied;
    private final Function<PartitionProduceData, @Nullable RefusedException> refusals;
    private final PendingProduce pending;
    private final @Nullable RefusedException refusalOfAll;
    private long costLeft;
    private int topic;
    private int partition;

    /**
     * @param topics the topic of each part of the request; null if it does not exist
     * @param denied which of them the client may not write; null if none
     * @param refusals the refusals of partitions whose batches could not be recompressed
     * @param maxBatchCost the largest cost of one batch
     * @param traffic what is counted; null if nothing is counted
     */
    ProduceCheck(
            Call call,
            Store store,
            ProduceRequest request,
            @Nullable Topic[] topics,
            @Nullable BitSet denied,
            Function<PartitionProduceData, @Nullable RefusedException> refusals,
            long maxBatchCost,
            @Nullable TopicTraffic traffic) {
        this.call = call;
        this.request = request;
        this.topics = topics;
        this.denied = denied;
        this.refusals = refusals;
        this.pending = new PendingProduce(call, store, request.acks(), batches(request), topics, traffic);
        this.refusalOfAll = refusalOfAll(call, request);
        this.costLeft = BatchChecks.MAX_RATIO * call.frame().readableBytes() + maxBatchCost;
    }

    private static @Nullable RefusedException refusalOfAll(Call call, ProduceRequest request) {
        if (!call.access().isUnlimited() && !mayTransact(call, request) && isTransactional(request)) {
            return new RefusedException(
                    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, "the transactional id may not be used");
        }
        if (request.acks() < -1 || request.acks() > 1) {
            return new RefusedException(ErrorCode.INVALID_REQUIRED_ACKS, "acks is " + request.acks());
        }
        return null;
    }

    private static boolean mayTransact(Call call, ProduceRequest request) {
        String id = request.transactionalId();
        return id != null && call.access().mayTransactionalId(Operation.WRITE, id);
    }

    /** Whether any partition begins with a transactional batch. Reads only the attributes. */
    private static boolean isTransactional(ProduceRequest request) {
        for (TopicProduceData sent : request.topicData()) {
            for (PartitionProduceData data : sent.partitionData()) {
                Records records = data.records();
                if (records != null
                        && records.sizeInBytes() > RecordBatchLayout.HEADER_BYTES
                        && new RecordBatch()
                                .wrap(records.buffer(), records.index(), records.sizeInBytes())
                                .isTransactional()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int batches(ProduceRequest request) {
        int batches = 0;
        for (TopicProduceData sent : request.topicData()) {
            batches += sent.partitionData().size();
        }
        return batches;
    }

    /**
     * Continues where it stopped.
     *
     * @param maxCost the largest cost of this call, in bytes of records
     * @return false if partitions are left
     */
    boolean run(BatchChecks checks, long maxCost) {
        long left = maxCost;
        for (; topic < topics.length; topic++, partition = 0) {
            TopicProduceData sent = request.topicData().get(topic);
            if (partition == 0 && pending.topics() == topic) {
                pending.begin(
                        new TopicProduceResponse().name(sent.name()).topicId(sent.topicId()),
                        sent.partitionData().size());
            }
            for (; partition < sent.partitionData().size(); partition++) {
                if (left <= 0 || !checkPartition(sent.partitionData().get(partition), checks, left)) {
                    return false;
                }
                left -= checks.cost();
                costLeft -= checks.cost();
            }
        }
        return true;
    }

    private boolean checkPartition(PartitionProduceData data, BatchChecks checks, long maxCost) {
        RefusedException refusal = refusalOfAll != null ? refusalOfAll : refusals.apply(data);
        checks.skip();
        try {
            if (refusal != null) {
                throw refusal;
            }
            return append(require(topic), data, checks, maxCost);
        } catch (RefusedException | InvalidBatchException e) {
            pending.refuse(data.index(), ErrorMapper.refusal(e));
            return true;
        }
    }

    private Topic require(int index) {
        if (denied != null && denied.get(index)) {
            throw new RefusedException(ErrorCode.TOPIC_AUTHORIZATION_FAILED, "the topic may not be written");
        }
        Topic found = topics[index];
        if (found == null) {
            throw new RefusedException(
                    call.version() >= TOPIC_IDS_FROM_VERSION
                            ? ErrorCode.UNKNOWN_TOPIC_ID
                            : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "there is no such topic");
        }
        return found.requireOfClients(ErrorCode.INVALID_TOPIC_EXCEPTION);
    }

    private boolean append(Topic found, PartitionProduceData data, BatchChecks checks, long maxCost) {
        int queueId = found.queueId(data.index());
        if (queueId == Topic.NO_QUEUE) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "the topic has " + found.partitionCount() + " partitions");
        }
        RecordBatch batch = checks.check(
                pending.bytes(), data.records(), found.settings(), call.version(), Math.min(maxCost, costLeft));
        if (batch == null && costLeft <= maxCost) {
            throw BatchChecks.tooManyTimesTheRequest();
        }
        if (batch != null) {
            requireTransactionalId(batch);
            pending.append(data.index(), queueId, batch, checks.slim(batch));
        }
        return batch != null;
    }

    /** As Kafka, which has no id to ask its authorizer for. */
    private void requireTransactionalId(RecordBatch batch) {
        if (batch.isTransactional() && request.transactionalId() == null) {
            throw new RefusedException(
                    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                    "the batch is transactional, and the request has no transactional id");
        }
    }

    /** Called on the event loop when all batches are checked. */
    void submit() {
        pending.submit();
    }

    Call call() {
        return call;
    }
}

package io.rivulet.broker.api;

import io.netty.util.concurrent.FastThreadLocal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.produce.BatchChecks;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse.TopicProduceResponse;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.protocol.record.RecordBatch;
import org.jspecify.annotations.Nullable;

/** Checks what a producer sent, hands what is sound to the store, and answers when it is as durable as was asked for. */
public final class ProduceHandler {
    private static final short TOPIC_IDS_FROM_VERSION = 13;

    private final ProduceParts parts;
    private final TopicCatalogue topics;
    private final FastThreadLocal<BatchChecks> checks;

    public ProduceHandler(ProduceParts parts, TopicCatalogue topics, int maxDecompressedBytes) {
        this.parts = parts;
        this.topics = topics;
        this.checks = BatchChecks.perEventLoop(maxDecompressedBytes);
    }

    void handle(Call call, ProduceRequest request) {
        PendingProduce pending = new PendingProduce(call, parts, request.acks(), batches(request));
        RefusedException refusalOfAll = refusalOfAll(request);
        BatchChecks loopsChecks = checks.get();
        long nowMillis = parts.clockMillis().getAsLong();
        for (TopicProduceData sent : request.topicData()) {
            pending.begin(
                    new TopicProduceResponse().name(sent.name()).topicId(sent.topicId()),
                    sent.partitionData().size());
            boolean byId = call.version() >= TOPIC_IDS_FROM_VERSION;
            Topic topic = byId ? topics.find(sent.topicId()) : topics.find(sent.name());
            for (PartitionProduceData data : sent.partitionData()) {
                try {
                    if (refusalOfAll != null) {
                        throw refusalOfAll;
                    }
                    take(pending, require(topic, byId), data, loopsChecks, call.version(), nowMillis);
                } catch (RefusedException | InvalidBatchException e) {
                    pending.refuse(data.index(), ErrorMapper.refusal(e));
                }
            }
        }
        pending.submit();
    }

    private static @Nullable RefusedException refusalOfAll(ProduceRequest request) {
        if (request.acks() < -1 || request.acks() > 1) {
            return new RefusedException(ErrorCode.INVALID_REQUIRED_ACKS, "acks is " + request.acks());
        }
        return null;
    }

    private static Topic require(@Nullable Topic topic, boolean byId) {
        if (topic == null) {
            throw new RefusedException(
                    byId ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no such topic");
        }
        return topic;
    }

    private static int batches(ProduceRequest request) {
        int batches = 0;
        for (TopicProduceData sent : request.topicData()) {
            batches += sent.partitionData().size();
        }
        return batches;
    }

    private static void take(
            PendingProduce pending,
            Topic topic,
            PartitionProduceData data,
            BatchChecks checks,
            short version,
            long nowMillis) {
        int queueId = topic.queueId(data.index());
        if (queueId == Topic.NO_QUEUE) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "the topic has " + topic.partitionCount() + " partitions");
        }
        RecordBatch batch = checks.check(data.records(), topic.settings(), version, nowMillis);
        pending.append(data.index(), queueId, batch);
    }
}

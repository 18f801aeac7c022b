package io.rivulet.broker.api;

import io.netty.util.concurrent.FastThreadLocal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.produce.BatchChecks;
import io.rivulet.broker.produce.Recompression;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse.TopicProduceResponse;
import io.rivulet.protocol.record.InvalidBatchException;
import io.rivulet.protocol.record.RecordBatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks what a producer sent, hands what is sound to the store, and answers when it is as durable as was asked for. */
public final class ProduceHandler {
    private static final short TOPIC_IDS_FROM_VERSION = 13;

    private final ProduceParts parts;
    private final TopicCatalogue topics;
    private final Recompressor recompressor;
    private final FastThreadLocal<BatchChecks> checks;

    public ProduceHandler(
            ProduceParts parts, TopicCatalogue topics, Recompressor recompressor, int maxDecompressedBytes) {
        this.parts = parts;
        this.topics = topics;
        this.recompressor = recompressor;
        this.checks = BatchChecks.perEventLoop(maxDecompressedBytes);
    }

    void handle(Call call, ProduceRequest request) {
        @Nullable Topic[] found = find(request, call.version() >= TOPIC_IDS_FROM_VERSION);
        for (int i = 0; i < found.length; i++) {
            if (Recompression.isWanted(found[i], request.topicData().get(i))) {
                recompressor.rewrite(call, request, found, rewritten -> {
                    call.replaceFrame(rewritten.frame());
                    take(call, rewritten.request(), found, rewritten.refusals()::get);
                });
                return;
            }
        }
        take(call, request, found, data -> null);
    }

    private @Nullable Topic[] find(ProduceRequest request, boolean byId) {
        @Nullable Topic[] found = new Topic[request.topicData().size()];
        for (int i = 0; i < found.length; i++) {
            TopicProduceData sent = request.topicData().get(i);
            found[i] = byId ? topics.find(sent.topicId()) : topics.find(sent.name());
        }
        return found;
    }

    /** @param refusals of parts that came to nothing before */
    private void take(
            Call call,
            ProduceRequest request,
            @Nullable Topic[] found,
            Function<PartitionProduceData, @Nullable RefusedException> refusals) {
        PendingProduce pending = new PendingProduce(call, parts, request.acks(), batches(request));
        RefusedException refusalOfAll = refusalOfAll(request);
        BatchChecks loopsChecks = checks.get();
        loopsChecks.time(parts.clock());
        boolean byId = call.version() >= TOPIC_IDS_FROM_VERSION;
        for (int i = 0; i < found.length; i++) {
            TopicProduceData sent = request.topicData().get(i);
            pending.begin(
                    new TopicProduceResponse().name(sent.name()).topicId(sent.topicId()),
                    sent.partitionData().size());
            for (PartitionProduceData data : sent.partitionData()) {
                RefusedException refusal = refusalOfAll != null ? refusalOfAll : refusals.apply(data);
                try {
                    if (refusal != null) {
                        throw refusal;
                    }
                    take(pending, require(found[i], byId), data, loopsChecks, call.version());
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
            PendingProduce pending, Topic topic, PartitionProduceData data, BatchChecks checks, short version) {
        int queueId = topic.queueId(data.index());
        if (queueId == Topic.NO_QUEUE) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "the topic has " + topic.partitionCount() + " partitions");
        }
        RecordBatch batch = checks.check(data.records(), topic.settings(), version);
        pending.append(data.index(), queueId, batch, checks.slim(batch));
    }
}

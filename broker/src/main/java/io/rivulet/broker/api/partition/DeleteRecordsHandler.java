package io.rivulet.broker.api.partition;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.DeleteRecordsRequest;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import io.rivulet.protocol.message.DeleteRecordsResponse;
import io.rivulet.protocol.message.DeleteRecordsResponse.DeleteRecordsPartitionResult;
import io.rivulet.protocol.message.DeleteRecordsResponse.DeleteRecordsTopicResult;
import io.rivulet.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Moves the start offset of partitions forward. */
record DeleteRecordsHandler(TopicCatalogue topics, Store store) implements Handler<DeleteRecordsRequest> {
    private static final long TO_THE_END = -1;
    private static final long UNKNOWN_OFFSET = -1;

    @Override
    public void handle(Call call, DeleteRecordsRequest request) {
        List<DeleteRecordsTopicResult> results = new ArrayList<>();
        List<CompletableFuture<?>> trims = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (DeleteRecordsTopic wanted : request.topics()) {
            boolean allowed = call.access().mayTopic(Operation.DELETE, wanted.name());
            Topic topic = topics.find(wanted.name());
            List<DeleteRecordsPartitionResult> partitions = new ArrayList<>();
            for (DeleteRecordsPartition partition : wanted.partitions()) {
                DeleteRecordsPartitionResult result = new DeleteRecordsPartitionResult()
                        .partitionIndex(partition.partitionIndex())
                        .lowWatermark(UNKNOWN_OFFSET);
                partitions.add(result);
                if (!allowed) {
                    result.errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
                    continue;
                }
                trims.add(Futures.attempt(
                        () -> trim(topic, partition, seen, result),
                        refusal -> result.errorCode(refusal.code().code())));
            }
            results.add(new DeleteRecordsTopicResult().name(wanted.name()).partitions(partitions));
        }
        Futures.whenAllEnded(trims, () -> call.answer(new DeleteRecordsResponse().topics(results)));
    }

    private CompletionStage<?> trim(
            @Nullable Topic topic,
            DeleteRecordsPartition wanted,
            Set<Integer> seen,
            DeleteRecordsPartitionResult result) {
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(wanted.partitionIndex());
        if (topic == null || queueId == Topic.NO_QUEUE || !store.exists(queueId)) {
            throw new RefusedException(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no such partition");
        }
        topic.requireOfClients(ErrorCode.INVALID_TOPIC_EXCEPTION);
        if (!seen.add(queueId)) {
            // Each trim takes an entry of the log.
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "the partition is in the request more than once");
        }
        if (!topic.settings().deletesRecords()) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "the topic's cleanup.policy does not delete records");
        }
        long endOffset = store.endOffset(queueId);
        long offset = wanted.offset() == TO_THE_END ? endOffset : wanted.offset();
        if (offset < 0 || offset > endOffset) {
            throw new RefusedException(ErrorCode.OFFSET_OUT_OF_RANGE, "the offset is out of range");
        }
        if (offset <= store.startOffset(queueId)) {
            result.lowWatermark(store.startOffset(queueId)); // visible, so it is durable
            return CompletableFuture.completedFuture(null);
        }
        return store.trim(queueId, offset)
                .thenApply(done -> result.lowWatermark(store.exists(queueId) ? store.startOffset(queueId) : offset));
    }
}

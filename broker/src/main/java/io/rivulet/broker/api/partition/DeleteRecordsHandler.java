package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
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
import org.jspecify.annotations.Nullable;

/** Moves the start offset of partitions forward. */
record DeleteRecordsHandler(Store store, TopicCatalogue topics) implements Handler<DeleteRecordsRequest> {
    private static final long TO_THE_END = -1;
    private static final long UNKNOWN_OFFSET = -1;

    @Override
    public void handle(Call call, DeleteRecordsRequest request) {
        List<DeleteRecordsTopicResult> results = new ArrayList<>();
        List<CompletableFuture<?>> trims = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (DeleteRecordsTopic wanted : request.topics()) {
            Topic topic = topics.find(wanted.name());
            List<DeleteRecordsPartitionResult> partitions = new ArrayList<>();
            for (DeleteRecordsPartition partition : wanted.partitions()) {
                DeleteRecordsPartitionResult result = new DeleteRecordsPartitionResult()
                        .partitionIndex(partition.partitionIndex())
                        .lowWatermark(UNKNOWN_OFFSET);
                partitions.add(result);
                trims.add(trim(topic, partition, seen, result));
            }
            results.add(new DeleteRecordsTopicResult().name(wanted.name()).partitions(partitions));
        }
        Futures.whenAllEnded(trims, () -> call.answer(new DeleteRecordsResponse().topics(results)));
    }

    private CompletableFuture<Void> trim(
            @Nullable Topic topic,
            DeleteRecordsPartition wanted,
            Set<Integer> seen,
            DeleteRecordsPartitionResult result) {
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(wanted.partitionIndex());
        if (queueId == Topic.NO_QUEUE || !store.exists(queueId)) {
            result.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
            return CompletableFuture.completedFuture(null);
        }
        if (!seen.add(queueId)) {
            result.errorCode(ErrorCode.INVALID_REQUEST.code()); // each takes an entry of the log
            return CompletableFuture.completedFuture(null);
        }
        long endOffset = store.endOffset(queueId);
        long offset = wanted.offset() == TO_THE_END ? endOffset : wanted.offset();
        if (offset < 0 || offset > endOffset) {
            result.errorCode(ErrorCode.OFFSET_OUT_OF_RANGE.code());
            return CompletableFuture.completedFuture(null);
        }
        if (offset <= store.startOffset(queueId)) {
            result.lowWatermark(store.startOffset(queueId)); // it is durable, for it can be seen
            return CompletableFuture.completedFuture(null);
        }
        return store.trim(queueId, offset)
                .<Void>handle((done, failure) -> {
                    if (failure != null) {
                        result.errorCode(ErrorMapper.refusal(failure).code().code());
                    } else {
                        result.lowWatermark(store.exists(queueId) ? store.startOffset(queueId) : offset);
                    }
                    return null;
                })
                .toCompletableFuture();
    }
}

package io.rivulet.broker.api.partition;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import io.rivulet.protocol.message.OffsetForLeaderEpochResponse;
import io.rivulet.protocol.message.OffsetForLeaderEpochResponse.EpochEndOffset;
import io.rivulet.protocol.message.OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end offset of a leader epoch. A leader never truncates what an earlier one has acknowledged, so whatever a
 * client has read in its epoch or an earlier one is still there: each of them ends at the end of the queue.
 */
record OffsetForLeaderEpochHandler(ApiParts parts) implements Handler<OffsetForLeaderEpochRequest> {
    private static final int UNKNOWN = -1;

    @Override
    public void handle(Call call, OffsetForLeaderEpochRequest request) {
        Access access = call.access();
        boolean isBroker = access.mayCluster(Operation.CLUSTER_ACTION);
        List<OffsetForLeaderTopicResult> results = new ArrayList<>();
        for (OffsetForLeaderTopic wanted : request.topics()) {
            boolean allowed = isBroker || access.mayTopic(Operation.DESCRIBE, wanted.topic());
            Topic topic = parts.topics().find(wanted.topic());
            List<EpochEndOffset> partitions = new ArrayList<>();
            for (OffsetForLeaderPartition partition : wanted.partitions()) {
                partitions.add(
                        allowed
                                ? endOffset(topic, partition)
                                : unknown(partition).errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code()));
            }
            results.add(new OffsetForLeaderTopicResult().topic(wanted.topic()).partitions(partitions));
        }
        call.answer(new OffsetForLeaderEpochResponse().topics(results));
    }

    private static EpochEndOffset unknown(OffsetForLeaderPartition wanted) {
        return new EpochEndOffset()
                .partition(wanted.partition())
                .leaderEpoch(UNKNOWN)
                .endOffset(UNKNOWN);
    }

    private EpochEndOffset endOffset(@Nullable Topic topic, OffsetForLeaderPartition wanted) {
        EpochEndOffset answer = unknown(wanted);
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(wanted.partition());
        ErrorCode error = queueId == Topic.NO_QUEUE || !parts.store().exists(queueId)
                ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                : parts.nodes().epochs().check(wanted.currentLeaderEpoch());
        if (error == ErrorCode.NONE && parts.nodes().epochs().isKnown(wanted.leaderEpoch())) {
            answer.leaderEpoch(wanted.leaderEpoch()).endOffset(parts.store().endOffset(queueId));
        }
        return answer.errorCode(error.code());
    }
}

package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Replication;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import io.rivulet.protocol.message.AlterPartitionReassignmentsResponse;
import io.rivulet.protocol.message.AlterPartitionReassignmentsResponse.ReassignablePartitionResponse;
import io.rivulet.protocol.message.AlterPartitionReassignmentsResponse.ReassignableTopicResponse;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accepts an assignment to brokers that are alive. It has no effect: each of them can serve each partition already, and
 * which one does is decided for all partitions together.
 */
record AlterPartitionReassignmentsHandler(ApiParts parts)
        implements Handler<AlterPartitionReassignmentsRequest>, Refusal<AlterPartitionReassignmentsRequest> {
    @Override
    public void handle(Call call, AlterPartitionReassignmentsRequest request) {
        List<ReassignableTopicResponse> answers = new ArrayList<>();
        long count = 0;
        for (ReassignableTopic wanted : request.topics()) {
            Topic topic = parts.topics().find(wanted.name());
            List<ReassignablePartitionResponse> partitions = new ArrayList<>();
            for (ReassignablePartition partition : wanted.partitions()) {
                partitions.add(assign(topic, partition));
            }
            count += partitions.size();
            answers.add(new ReassignableTopicResponse().name(wanted.name()).partitions(partitions));
        }
        parts.longAnswers()
                .answer(
                        call,
                        new AlterPartitionReassignmentsResponse()
                                .allowReplicationFactorChange(request.allowReplicationFactorChange())
                                .errorMessage(null)
                                .responses(answers),
                        count);
    }

    @Override
    public Message refuse(AlterPartitionReassignmentsRequest request, short version, ErrorCode error) {
        return new AlterPartitionReassignmentsResponse()
                .allowReplicationFactorChange(request.allowReplicationFactorChange())
                .errorCode(error.code())
                .errorMessage(null)
                .responses(request.topics().stream()
                        .map(topic -> new ReassignableTopicResponse()
                                .name(topic.name())
                                .partitions(topic.partitions().stream()
                                        .map(partition -> new ReassignablePartitionResponse()
                                                .partitionIndex(partition.partitionIndex())
                                                .errorCode(error.code())
                                                .errorMessage(null))
                                        .toList()))
                        .toList());
    }

    private ReassignablePartitionResponse assign(@Nullable Topic topic, ReassignablePartition wanted) {
        ReassignablePartitionResponse answer = new ReassignablePartitionResponse()
                .partitionIndex(wanted.partitionIndex())
                .errorMessage(null);
        try {
            check(topic, wanted);
        } catch (RefusedException e) {
            answer.errorCode(e.code().code()).errorMessage(e.getMessage());
        }
        return answer;
    }

    private void check(@Nullable Topic topic, ReassignablePartition wanted) {
        ErrorCode unknown = Partitions.check(parts, topic, wanted.partitionIndex());
        if (unknown != ErrorCode.NONE) {
            throw new RefusedException(unknown, "there is no such partition");
        }
        int[] replicas = wanted.replicas();
        if (replicas == null) {
            throw new RefusedException(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "the partition is not being moved");
        }
        Replication.requireAssignable(parts.nodes(), replicas);
    }
}

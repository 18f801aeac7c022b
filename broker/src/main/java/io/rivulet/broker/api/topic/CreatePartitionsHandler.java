package io.rivulet.broker.api.topic;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.api.Replication;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.CreatePartitionsRequest;
import io.rivulet.protocol.message.CreatePartitionsRequest.CreatePartitionsAssignment;
import io.rivulet.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import io.rivulet.protocol.message.CreatePartitionsResponse;
import io.rivulet.protocol.message.CreatePartitionsResponse.CreatePartitionsTopicResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Adds partitions to topics. */
record CreatePartitionsHandler(ApiParts parts) implements Handler<CreatePartitionsRequest> {
    private static final short STRICT_QUOTA_FROM_VERSION = 3;

    @Override
    public void handle(Call call, CreatePartitionsRequest request) {
        List<CreatePartitionsTopicResult> results = new ArrayList<>();
        List<CompletableFuture<?>> additions = new ArrayList<>();
        for (CreatePartitionsTopic wanted : request.topics()) {
            CreatePartitionsTopicResult result = new CreatePartitionsTopicResult().name(wanted.name());
            results.add(result);
            additions.add(Futures.attempt(
                    () -> add(call, wanted, request.validateOnly()),
                    refusal -> result.errorCode(refusal.code().code()).errorMessage(refusal.getMessage())));
        }
        Futures.whenAllEnded(additions, () -> call.answer(new CreatePartitionsResponse().results(results)));
    }

    private CompletionStage<?> add(Call call, CreatePartitionsTopic wanted, boolean validateOnly) {
        if (!call.access().mayTopic(Operation.ALTER, wanted.name())) {
            throw new RefusedException(ErrorCode.TOPIC_AUTHORIZATION_FAILED, "the topic may not be altered");
        }
        Topic topic = check(wanted);
        Mutations.count(call, wanted.count() - topic.partitionCount(), STRICT_QUOTA_FROM_VERSION);
        return validateOnly
                ? CompletableFuture.completedFuture(null)
                : parts.admin().addPartitions(topic, wanted.count());
    }

    private Topic check(CreatePartitionsTopic wanted) {
        Topic topic = parts.topics().find(wanted.name());
        if (topic == null) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + wanted.name() + "'");
        }
        topic.requireOfClients(ErrorCode.INVALID_REQUEST);
        int before = topic.partitionCount();
        if (wanted.count() <= before) {
            throw new RefusedException(
                    ErrorCode.INVALID_PARTITIONS,
                    "the topic has " + before + " partitions, so the new number can't be " + wanted.count());
        }
        List<CreatePartitionsAssignment> assignments = wanted.assignments();
        if (assignments != null) {
            if (assignments.size() != wanted.count() - before) {
                throw new RefusedException(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT, "an assignment names each new partition");
            }
            assignments.forEach(assignment -> Replication.requireAssignable(parts.nodes(), assignment.brokerIds()));
        }
        return topic;
    }
}

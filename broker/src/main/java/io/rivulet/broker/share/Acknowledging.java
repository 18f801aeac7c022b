package io.rivulet.broker.share;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Acknowledges the records of one request: all partitions with one entry of the log. Immutable. */
record Acknowledging(ShareFetchParts parts, Access access, ShareSession.Key key, byte highestType) {
    /** @param done called with an error for each partition, when the results are durable; any thread */
    void acknowledge(List<PartitionAcks> wanted, Consumer<List<ErrorCode>> done) {
        List<ErrorCode> errors = new ArrayList<>(wanted.size());
        ShareGroup group = parts.groups().find(key.groupId());
        if (group == null) {
            for (PartitionAcks acks : wanted) {
                ErrorCode error = check(acks);
                errors.add(error == ErrorCode.NONE ? ErrorCode.INVALID_RECORD_STATE : error);
            }
            done.accept(errors);
            return;
        }
        Limits limits = ShareGroups.limits(parts.groups().config(key.groupId()));
        synchronized (group) {
            List<Run> results = new ArrayList<>();
            for (PartitionAcks acks : wanted) {
                ErrorCode error = check(acks);
                errors.add(
                        error != ErrorCode.NONE
                                ? error
                                : group.acknowledge(
                                        queueOf(acks),
                                        key.member(),
                                        acks.batches(),
                                        limits,
                                        parts.groups().nanos(),
                                        results));
            }
            parts.groups().append(group, results, failure -> {
                if (failure != null) {
                    ErrorCode code = ErrorMapper.refusal(failure).code();
                    errors.replaceAll(error -> error == ErrorCode.NONE ? code : error);
                }
                done.accept(errors);
            });
        }
    }

    private ErrorCode check(PartitionAcks acks) {
        Topic topic = parts.topics().find(acks.topicId());
        if (topic == null) {
            return ErrorCode.UNKNOWN_TOPIC_ID;
        }
        if (!access.isUnlimited() && !access.mayTopic(Operation.READ, topic.name())) {
            return ErrorCode.TOPIC_AUTHORIZATION_FAILED;
        }
        if (topic.queueId(acks.partition()) == Topic.NO_QUEUE) {
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        return AckBatch.areValid(acks.batches(), highestType) ? ErrorCode.NONE : ErrorCode.INVALID_REQUEST;
    }

    private int queueOf(PartitionAcks acks) {
        Topic topic = parts.topics().find(acks.topicId());
        return topic == null ? Topic.NO_QUEUE : topic.queueId(acks.partition());
    }
}

package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ElectLeadersRequest;
import io.rivulet.protocol.message.ElectLeadersRequest.TopicPartitions;
import io.rivulet.protocol.message.ElectLeadersResponse;
import io.rivulet.protocol.message.ElectLeadersResponse.PartitionResult;
import io.rivulet.protocol.message.ElectLeadersResponse.ReplicaElectionResult;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elects nothing: this broker leads each partition, so an election of either type is not needed. A request for all
 * partitions lists those that were elected: none.
 */
record ElectLeadersHandler(ApiParts parts) implements Handler<ElectLeadersRequest>, Refusal<ElectLeadersRequest> {
    private static final byte PREFERRED = 0;
    private static final byte UNCLEAN = 1;
    /** The first version with an error of the whole request. */
    private static final short ERROR_FROM_VERSION = 1;

    @Override
    public void handle(Call call, ElectLeadersRequest request) {
        boolean isTypeKnown = request.electionType() == PREFERRED || request.electionType() == UNCLEAN;
        ErrorCode error = isTypeKnown ? ErrorCode.NONE : ErrorCode.INVALID_REQUEST;
        List<ReplicaElectionResult> results = new ArrayList<>();
        long count = 0;
        for (TopicPartitions wanted : wanted(request)) {
            Topic topic = parts.topics().find(wanted.topic());
            List<PartitionResult> partitions = new ArrayList<>(wanted.partitions().length);
            for (int partition : wanted.partitions()) {
                partitions.add(isTypeKnown ? elect(topic, partition) : result(partition, error, "unknown type"));
            }
            count += partitions.size();
            results.add(new ReplicaElectionResult().topic(wanted.topic()).partitionResult(partitions));
        }
        parts.longAnswers()
                .answer(
                        call,
                        new ElectLeadersResponse().errorCode(error.code()).replicaElectionResults(results),
                        count);
    }

    @Override
    public Message refuse(ElectLeadersRequest request, short version, ErrorCode error) {
        return new ElectLeadersResponse()
                .errorCode(version < ERROR_FROM_VERSION ? 0 : error.code())
                .replicaElectionResults(wanted(request).stream()
                        .map(topic -> new ReplicaElectionResult()
                                .topic(topic.topic())
                                .partitionResult(Arrays.stream(topic.partitions())
                                        .mapToObj(partition -> result(partition, error, "the election is not allowed"))
                                        .toList()))
                        .toList());
    }

    private static List<TopicPartitions> wanted(ElectLeadersRequest request) {
        List<TopicPartitions> wanted = request.topicPartitions();
        return wanted == null ? List.of() : wanted;
    }

    private PartitionResult elect(@Nullable Topic topic, int partition) {
        return Partitions.check(parts, topic, partition) == ErrorCode.NONE
                ? result(partition, ErrorCode.ELECTION_NOT_NEEDED, "the preferred replica is the leader")
                : result(partition, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no such partition");
    }

    private static PartitionResult result(int partition, ErrorCode error, String message) {
        return new PartitionResult()
                .partitionId(partition)
                .errorCode(error.code())
                .errorMessage(message);
    }
}

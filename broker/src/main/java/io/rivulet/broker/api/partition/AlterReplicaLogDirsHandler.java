package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.AlterReplicaLogDirsRequest;
import io.rivulet.protocol.message.AlterReplicaLogDirsRequest.AlterReplicaLogDir;
import io.rivulet.protocol.message.AlterReplicaLogDirsRequest.AlterReplicaLogDirTopic;
import io.rivulet.protocol.message.AlterReplicaLogDirsResponse;
import io.rivulet.protocol.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirPartitionResult;
import io.rivulet.protocol.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Accepts the only data directory, where each partition already is. */
record AlterReplicaLogDirsHandler(ApiParts parts)
        implements Handler<AlterReplicaLogDirsRequest>, Refusal<AlterReplicaLogDirsRequest> {
    /** Kafka moves a partition through a directory with a longer name, whose length file systems limit. */
    private static final int MAX_DIRECTORY_NAME = 255;

    private static final int ADDED_TO_THE_NAME = "-.".length() + 32 + "-future".length();

    @Override
    public void handle(Call call, AlterReplicaLogDirsRequest request) {
        String directory = DescribeLogDirsHandler.directory(parts);
        Message response = response(request, wanted -> wanted.path().equals(directory), this::move);
        parts.longAnswers().answer(call, response, partitionCount(request));
    }

    private static long partitionCount(AlterReplicaLogDirsRequest request) {
        return request.dirs().stream()
                .flatMap(wanted -> wanted.topics().stream())
                .mapToLong(topic -> topic.partitions().length)
                .sum();
    }

    @Override
    public Message refuse(AlterReplicaLogDirsRequest request, short version, ErrorCode error) {
        return response(request, wanted -> true, (topic, isHere, results) -> {
            for (int partition : topic.partitions()) {
                results.add(result(partition, error));
            }
        });
    }

    /** Adds the results of the partitions that shall be in one directory. */
    @FunctionalInterface
    private interface Mover {
        void move(AlterReplicaLogDirTopic wanted, boolean isHere, List<AlterReplicaLogDirPartitionResult> results);
    }

    private static Message response(
            AlterReplicaLogDirsRequest request, Predicate<AlterReplicaLogDir> isHere, Mover mover) {
        // A topic may be asked for in several directories.
        Map<String, AlterReplicaLogDirTopicResult> results = new LinkedHashMap<>();
        for (AlterReplicaLogDir wanted : request.dirs()) {
            for (AlterReplicaLogDirTopic topic : wanted.topics()) {
                AlterReplicaLogDirTopicResult result = results.computeIfAbsent(
                        topic.name(),
                        name -> new AlterReplicaLogDirTopicResult()
                                .topicName(name)
                                .partitions(new ArrayList<>()));
                mover.move(topic, isHere.test(wanted), result.partitions());
            }
        }
        return new AlterReplicaLogDirsResponse().results(new ArrayList<>(results.values()));
    }

    private void move(AlterReplicaLogDirTopic wanted, boolean isHere, List<AlterReplicaLogDirPartitionResult> results) {
        Topic topic = parts.topics().find(wanted.name());
        for (int partition : wanted.partitions()) {
            ErrorCode error = isTooLong(wanted.name(), partition)
                    ? ErrorCode.INVALID_TOPIC_EXCEPTION
                    : isHere ? Partitions.check(parts, topic, partition) : ErrorCode.LOG_DIR_NOT_FOUND;
            results.add(result(partition, error));
        }
    }

    private static AlterReplicaLogDirPartitionResult result(int partition, ErrorCode error) {
        return new AlterReplicaLogDirPartitionResult().partitionIndex(partition).errorCode(error.code());
    }

    private static boolean isTooLong(String topic, int partition) {
        return topic.length() + String.valueOf(partition).length() + ADDED_TO_THE_NAME > MAX_DIRECTORY_NAME;
    }
}

package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.AlterReplicaLogDirsRequest;
import io.rivulet.protocol.message.AlterReplicaLogDirsRequest.AlterReplicaLogDir;
import io.rivulet.protocol.message.AlterReplicaLogDirsRequest.AlterReplicaLogDirTopic;
import io.rivulet.protocol.message.AlterReplicaLogDirsResponse;
import io.rivulet.protocol.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirPartitionResult;
import io.rivulet.protocol.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Accepts the only data directory, where each partition already is. */
record AlterReplicaLogDirsHandler(ApiParts parts) implements Handler<AlterReplicaLogDirsRequest> {
    /** Kafka moves a partition through a directory with a longer name, whose length file systems limit. */
    private static final int MAX_DIRECTORY_NAME = 255;

    private static final int ADDED_TO_THE_NAME = "-.".length() + 32 + "-future".length();

    @Override
    public void handle(Call call, AlterReplicaLogDirsRequest request) {
        String directory = DescribeLogDirsHandler.directory(parts);
        // A topic may be asked for in several directories.
        Map<String, AlterReplicaLogDirTopicResult> results = new LinkedHashMap<>();
        long count = 0;
        for (AlterReplicaLogDir wanted : request.dirs()) {
            boolean isHere = wanted.path().equals(directory);
            for (AlterReplicaLogDirTopic topic : wanted.topics()) {
                AlterReplicaLogDirTopicResult result = results.computeIfAbsent(
                        topic.name(),
                        name -> new AlterReplicaLogDirTopicResult()
                                .topicName(name)
                                .partitions(new ArrayList<>()));
                move(topic, isHere, result.partitions());
                count += topic.partitions().length;
            }
        }
        parts.longAnswers()
                .answer(call, new AlterReplicaLogDirsResponse().results(new ArrayList<>(results.values())), count);
    }

    private void move(AlterReplicaLogDirTopic wanted, boolean isHere, List<AlterReplicaLogDirPartitionResult> results) {
        Topic topic = parts.topics().find(wanted.name());
        for (int partition : wanted.partitions()) {
            ErrorCode error = isTooLong(wanted.name(), partition)
                    ? ErrorCode.INVALID_TOPIC_EXCEPTION
                    : isHere ? Partitions.check(parts, topic, partition) : ErrorCode.LOG_DIR_NOT_FOUND;
            results.add(new AlterReplicaLogDirPartitionResult()
                    .partitionIndex(partition)
                    .errorCode(error.code()));
        }
    }

    private static boolean isTooLong(String topic, int partition) {
        return topic.length() + String.valueOf(partition).length() + ADDED_TO_THE_NAME > MAX_DIRECTORY_NAME;
    }
}

package io.rivulet.bench.million;

import io.rivulet.bench.load.Commits;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest;
import io.rivulet.protocol.message.ListOffsetsRequest;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds requests about all queues. Immutable. */
final class WholeMessages {
    static final long OFFSET = 7;

    private static final String GROUP = "all-of-them";
    private static final int TIMEOUT_MILLIS = 300_000;
    private static final int PAGE = 2_000;
    private static final long LATEST = -1;

    private final Layout layout;
    private final int queues;

    WholeMessages(Layout layout, int queues) {
        this.layout = layout;
        this.queues = queues;
    }

    /** The last version that knows topics by name. */
    static short version(ApiKey key) {
        return switch (key) {
            case CREATE_TOPICS -> 7;
            case METADATA -> 12;
            case LIST_OFFSETS -> 7;
            case OFFSET_COMMIT, OFFSET_FETCH -> 9;
            case DESCRIBE_TOPIC_PARTITIONS -> 0;
            case DELETE_TOPICS -> 6;
            default -> throw new IllegalArgumentException(key.apiName());
        };
    }

    int topics() {
        return layout == Layout.ONE_TOPIC ? 1 : queues;
    }

    private int partitions() {
        return queues / topics();
    }

    private <T> List<T> forEachTopic(IntFunction<T> of) {
        return IntStream.range(0, topics()).mapToObj(of).toList();
    }

    private <T> List<T> forEachPartition(IntFunction<T> of) {
        return IntStream.range(0, partitions()).mapToObj(of).toList();
    }

    CreateTopicsRequest create() {
        return new CreateTopicsRequest()
                .timeoutMs(TIMEOUT_MILLIS)
                .topics(forEachTopic(topic -> new CreatableTopic()
                        .name(layout.topic(topic))
                        .numPartitions(partitions())
                        .replicationFactor((short) 1)));
    }

    MetadataRequest metadata() {
        return new MetadataRequest().topics(null);
    }

    ListOffsetsRequest listOffsets() {
        return new ListOffsetsRequest()
                .replicaId(-1)
                .topics(forEachTopic(topic -> new ListOffsetsTopic()
                        .name(layout.topic(topic))
                        .partitions(forEachPartition(partition -> new ListOffsetsPartition()
                                .partitionIndex(partition)
                                .timestamp(LATEST)))));
    }

    OffsetCommitRequest commit() {
        return new OffsetCommitRequest()
                .groupId(GROUP)
                .topics(forEachTopic(
                        topic -> Commits.topic(layout.topic(topic), IntStream.range(0, partitions()), OFFSET)));
    }

    OffsetFetchRequest fetchOffsets() {
        return new OffsetFetchRequest()
                .groups(List.of(new OffsetFetchRequestGroup().groupId(GROUP).topics(null)));
    }

    /** @param from null for the first page */
    DescribeTopicPartitionsRequest describe(DescribeTopicPartitionsRequest.@Nullable Cursor from) {
        return new DescribeTopicPartitionsRequest()
                .topics(List.of())
                .responsePartitionLimit(PAGE)
                .cursor(from);
    }

    DeleteTopicsRequest delete() {
        return new DeleteTopicsRequest()
                .timeoutMs(TIMEOUT_MILLIS)
                .topics(forEachTopic(topic -> new DeleteTopicState().name(layout.topic(topic))));
    }
}

package io.rivulet.broker.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartition;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopic;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Serves OffsetFetch. Only durable offsets are returned. For stable offsets, the client must retry while an open
 * transaction may change them.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class OffsetFetch {
    private static final short BATCHED_FROM_VERSION = 8;
    private static final short TOPIC_IDS_FROM_VERSION = 10;
    /** Older versions have errors of partitions only. */
    private static final short GROUP_ERROR_FROM_VERSION = 2;

    private static final long NO_OFFSET = -1;

    private final GroupCoordinator groups;
    private final GroupTable table;
    private final TopicCatalogue topics;

    OffsetFetch(GroupCoordinator groups, GroupTable table, TopicCatalogue topics) {
        this.groups = groups;
        this.table = table;
        this.topics = topics;
    }

    public LongQuestions.Question<OffsetFetchResponse> fetch(OffsetFetchRequest request, short version, Access access) {
        boolean batched = version >= BATCHED_FROM_VERSION;
        return new OffsetQuestion(
                batched ? request.groups() : List.of(batched(request)),
                request.requireStable(),
                version >= TOPIC_IDS_FROM_VERSION,
                access,
                groups,
                table,
                topics,
                results -> batched
                        ? new OffsetFetchResponse().groups(results)
                        : unbatched(request, version, results.get(0)));
    }

    // ---- versions that ask for one group ----

    private static OffsetFetchRequestGroup batched(OffsetFetchRequest request) {
        List<OffsetFetchRequestTopic> asked = request.topics();
        return new OffsetFetchRequestGroup()
                .groupId(request.groupId())
                .topics(
                        asked == null
                                ? null
                                : asked.stream()
                                        .map(topic -> new OffsetFetchRequestTopics()
                                                .name(topic.name())
                                                .partitionIndexes(topic.partitionIndexes()))
                                        .toList());
    }

    private static OffsetFetchResponse unbatched(
            OffsetFetchRequest request, short version, OffsetFetchResponseGroup group) {
        if (version < GROUP_ERROR_FROM_VERSION && group.errorCode() != ErrorCode.NONE.code()) {
            return refusedPartitions(request, group.errorCode());
        }
        List<OffsetFetchResponseTopic> results = new ArrayList<>(group.topics().size());
        for (OffsetFetchResponseTopics topic : group.topics()) {
            results.add(new OffsetFetchResponseTopic()
                    .name(topic.name())
                    .partitions(topic.partitions().stream()
                            .map(partition -> new OffsetFetchResponsePartition()
                                    .partitionIndex(partition.partitionIndex())
                                    .committedOffset(partition.committedOffset())
                                    .committedLeaderEpoch(partition.committedLeaderEpoch())
                                    .metadata(partition.metadata())
                                    .errorCode(partition.errorCode()))
                            .toList()));
        }
        return new OffsetFetchResponse().topics(results).errorCode(group.errorCode());
    }

    private static OffsetFetchResponse refusedPartitions(OffsetFetchRequest request, short error) {
        List<OffsetFetchRequestTopic> asked = request.topics();
        return new OffsetFetchResponse()
                .topics((asked == null ? List.<OffsetFetchRequestTopic>of() : asked)
                        .stream()
                                .map(topic -> new OffsetFetchResponseTopic()
                                        .name(topic.name())
                                        .partitions(Arrays.stream(topic.partitionIndexes())
                                                .mapToObj(partition -> new OffsetFetchResponsePartition()
                                                        .partitionIndex(partition)
                                                        .committedOffset(NO_OFFSET)
                                                        .metadata("")
                                                        .errorCode(error))
                                                .toList()))
                                .toList());
    }

    public static OffsetFetchResponse refused(OffsetFetchRequest request, ErrorCode error) {
        short code = error.code();
        return new OffsetFetchResponse()
                .errorCode(code)
                .groups(request.groups().stream()
                        .map(group -> new OffsetFetchResponseGroup()
                                .groupId(group.groupId())
                                .errorCode(code))
                        .toList());
    }
}

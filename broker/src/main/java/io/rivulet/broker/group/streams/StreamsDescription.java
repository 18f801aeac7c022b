package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.streams.StreamsMember.Endpoint;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.Assignment;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.KeyValue;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.Member;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.Subtopology;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.TaskIds;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.TopicInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes a group for StreamsGroupDescribe. Pure functions. */
public final class StreamsDescription {
    private StreamsDescription() {}

    /** The number of members and tasks. */
    public static long parts(StreamsGroup group) {
        long parts = 0;
        for (StreamsMember member : group.members().all()) {
            parts += 1 + member.assigned.size() + member.target.size();
        }
        return parts;
    }

    public static DescribedGroup of(StreamsGroup group) {
        List<Member> members = new ArrayList<>(group.members().size());
        for (StreamsMember member : group.members().all()) {
            members.add(new Member()
                    .memberId(member.id)
                    .memberEpoch(member.epoch)
                    .rackId(member.rackId)
                    .clientId(member.clientId)
                    .clientHost(member.clientHost)
                    .topologyEpoch(member.topologyEpoch)
                    .processId(member.processId)
                    .userEndpoint(endpoint(member.endpoint))
                    .clientTags(keyValues(member.clientTags))
                    .assignment(assignment(member.assigned))
                    .targetAssignment(assignment(member.target)));
        }
        return new DescribedGroup()
                .groupId(group.groupId())
                .groupState(group.stateName())
                .groupEpoch(group.target().groupEpoch())
                .assignmentEpoch(group.target().targetEpoch())
                .topology(topology(group.topology(), group.configured()))
                .assignorName(TaskAssignor.NAME)
                .members(members);
    }

    private static StreamsGroupDescribeResponse.@Nullable Endpoint endpoint(@Nullable Endpoint endpoint) {
        return endpoint == null
                ? null
                : new StreamsGroupDescribeResponse.Endpoint()
                        .host(endpoint.host())
                        .port(endpoint.port());
    }

    private static List<KeyValue> keyValues(Map<String, String> map) {
        List<KeyValue> all = new ArrayList<>(map.size());
        map.forEach((key, value) -> all.add(new KeyValue().key(key).value(value)));
        return all;
    }

    private static Assignment assignment(Tasks tasks) {
        return new Assignment()
                .activeTasks(taskIds(tasks.active()))
                .standbyTasks(taskIds(tasks.standby()))
                .warmupTasks(List.of());
    }

    private static List<TaskIds> taskIds(TaskSet tasks) {
        List<TaskIds> ids = new ArrayList<>();
        tasks.forEach(
                (id, partitions) -> ids.add(new TaskIds().subtopologyId(id).partitions(partitions)));
        return ids;
    }

    /** With the numbers of partitions, if they are known. */
    private static StreamsGroupDescribeResponse.@Nullable Topology topology(
            @Nullable Topology topology, @Nullable ConfiguredTopology configured) {
        if (topology == null) {
            return null;
        }
        Map<String, Integer> counts = configured == null ? Map.of() : configured.counts();
        List<Subtopology> parts = new ArrayList<>();
        for (Topology.Subtopology part : topology.subtopologies().values()) {
            parts.add(new Subtopology()
                    .subtopologyId(part.id())
                    .sourceTopics(part.sources())
                    .repartitionSinkTopics(part.repartitionSinks())
                    .stateChangelogTopics(infos(part.changelogs(), counts))
                    .repartitionSourceTopics(infos(part.repartitionSources(), counts)));
        }
        return new StreamsGroupDescribeResponse.Topology()
                .epoch(topology.epoch())
                .subtopologies(parts);
    }

    private static List<TopicInfo> infos(List<InternalTopic> topics, Map<String, Integer> counts) {
        List<TopicInfo> infos = new ArrayList<>(topics.size());
        for (InternalTopic topic : topics) {
            infos.add(new TopicInfo()
                    .name(topic.name())
                    .partitions(counts.getOrDefault(topic.name(), topic.partitions()))
                    .replicationFactor(topic.replicationFactor())
                    .topicConfigs(keyValues(topic.configs())));
        }
        return infos;
    }
}

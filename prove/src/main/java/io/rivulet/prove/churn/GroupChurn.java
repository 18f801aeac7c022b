package io.rivulet.prove.churn;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Topology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.wire.Uuid;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Makes groups of each kind with a member and an offset, and deletes them. Owned by: one thread. */
public final class GroupChurn {
    /** It must exist. */
    public static final String TOPIC = "of-groups";

    private static final int OFFSETS_VERSION = 9;
    private static final int LEAVES = -1;
    private static final int REBALANCE_MILLIS = 60_000;
    private static final List<Kind> KINDS =
            List.of(Kind.CLASSIC_GROUPS, Kind.CONSUMER_GROUPS, Kind.SHARE_GROUPS, Kind.STREAMS_GROUPS);

    private final BrokerConnection broker;
    private final Set<Kind> kept;
    private long members;

    GroupChurn(BrokerConnection broker, Set<Kind> kept) {
        this.broker = broker;
        this.kept = kept;
    }

    /** Makes groups of each kind, and keeps them. */
    public static void make(BrokerConnection broker, List<String> names) {
        GroupChurn churn = new GroupChurn(broker, EnumSet.allOf(Kind.class));
        KINDS.forEach(kind -> churn.run(
                kind, names.stream().map(name -> name + "-" + kind.name()).toList()));
    }

    void run(Kind kind, List<String> groups) {
        groups.forEach(group -> live(kind, group));
        if (!kept.contains(kind)) {
            broker.ask(ApiKey.DELETE_GROUPS, new DeleteGroupsRequest().groupsNames(groups), DeleteGroupsResponse.class)
                    .results()
                    .forEach(one -> ClientException.require(one.errorCode(), null, "delete " + one.groupId()));
        }
    }

    private void live(Kind kind, String group) {
        String member = new Uuid(members++, 7).toString();
        switch (kind) {
            case CONSUMER_GROUPS -> {
                commit(group, member, consumer(group, member, 0));
                consumer(group, member, LEAVES);
            }
            case SHARE_GROUPS -> {
                share(group, member, 0);
                share(group, member, LEAVES);
            }
            case STREAMS_GROUPS -> {
                commit(group, member, streams(group, member, 0));
                streams(group, member, LEAVES);
            }
            default -> commit(group, "", LEAVES);
        }
    }

    private void commit(String group, String member, int epoch) {
        OffsetCommitRequest request = new OffsetCommitRequest()
                .groupId(group)
                .memberId(member)
                .generationIdOrMemberEpoch(epoch)
                .topics(List.of(new OffsetCommitRequestTopic()
                        .name(TOPIC)
                        .partitions(List.of(new OffsetCommitRequestPartition().committedOffset(0)))));
        broker.ask(ApiKey.OFFSET_COMMIT, OFFSETS_VERSION, request, OffsetCommitResponse.class)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(one -> ClientException.require(one.errorCode(), null, "commit for " + group)));
    }

    /** Returns the member's epoch. */
    private int consumer(String group, String member, int epoch) {
        ConsumerGroupHeartbeatRequest request = new ConsumerGroupHeartbeatRequest()
                .groupId(group)
                .memberId(member)
                .memberEpoch(epoch);
        if (epoch == 0) {
            request.rebalanceTimeoutMs(REBALANCE_MILLIS)
                    .subscribedTopicNames(List.of(TOPIC))
                    .topicPartitions(List.of());
        }
        ConsumerGroupHeartbeatResponse answer =
                broker.ask(ApiKey.CONSUMER_GROUP_HEARTBEAT, request, ConsumerGroupHeartbeatResponse.class);
        ClientException.require(answer.errorCode(), answer.errorMessage(), "a heartbeat of " + group);
        return answer.memberEpoch();
    }

    private void share(String group, String member, int epoch) {
        ShareGroupHeartbeatRequest request =
                new ShareGroupHeartbeatRequest().groupId(group).memberId(member).memberEpoch(epoch);
        if (epoch == 0) {
            request.subscribedTopicNames(List.of(TOPIC));
        }
        ShareGroupHeartbeatResponse answer =
                broker.ask(ApiKey.SHARE_GROUP_HEARTBEAT, request, ShareGroupHeartbeatResponse.class);
        ClientException.require(answer.errorCode(), answer.errorMessage(), "a heartbeat of " + group);
    }

    /** Returns the member's epoch. */
    private int streams(String group, String member, int epoch) {
        StreamsGroupHeartbeatRequest request = new StreamsGroupHeartbeatRequest()
                .groupId(group)
                .memberId(member)
                .memberEpoch(epoch);
        if (epoch == 0) {
            request.processId(member)
                    .rebalanceTimeoutMs(REBALANCE_MILLIS)
                    .topology(new Topology()
                            .epoch(1)
                            .subtopologies(
                                    List.of(new Subtopology().subtopologyId("0").sourceTopics(List.of(TOPIC)))))
                    .activeTasks(List.of())
                    .standbyTasks(List.of())
                    .warmupTasks(List.of());
        }
        StreamsGroupHeartbeatResponse answer =
                broker.ask(ApiKey.STREAMS_GROUP_HEARTBEAT, request, StreamsGroupHeartbeatResponse.class);
        ClientException.require(answer.errorCode(), answer.errorMessage(), "a heartbeat of " + group);
        return answer.memberEpoch();
    }
}

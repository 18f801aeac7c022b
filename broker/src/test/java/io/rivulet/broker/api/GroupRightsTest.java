package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestPartition;
import io.rivulet.protocol.message.AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.TopicPartitions;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.DeleteGroupsResponse.DeletableGroupResult;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.FindCoordinatorResponse;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetDeleteRequest;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import io.rivulet.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import io.rivulet.protocol.message.OffsetDeleteResponse;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.rivulet.protocol.message.ShareGroupDescribeRequest;
import io.rivulet.protocol.message.ShareGroupDescribeResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Groups and their offsets, for a client with few rights. */
final class GroupRightsTest {
    private static final short TOPIC_DENIED = ErrorCode.TOPIC_AUTHORIZATION_FAILED.code();
    private static final short GROUP_DENIED = ErrorCode.GROUP_AUTHORIZATION_FAILED.code();
    /** Topics have names, not ids. */
    private static final int BY_NAME = 9;

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private final TestRights rights = new TestRights();

    @BeforeEach
    void createTopics() throws Exception {
        broker.createTopics("open", "secret");
        assertThat(commit("mine", "open", "secret")).containsOnly((short) 0);
        assertThat(commit("other", "open")).containsOnly((short) 0);
        broker.access(rights);
    }

    // ---- offsets ----

    private List<Short> commit(String group, String... topics) throws Exception {
        OffsetCommitRequest request = new OffsetCommitRequest()
                .groupId(group)
                .topics(Stream.of(topics)
                        .map(name -> new OffsetCommitRequestTopic()
                                .name(name)
                                .partitions(List.of(new OffsetCommitRequestPartition().committedOffset(1))))
                        .toList());
        return broker.ask(ApiKey.OFFSET_COMMIT, BY_NAME, request, OffsetCommitResponse::read).topics().stream()
                .map(topic -> topic.partitions().get(0).errorCode())
                .toList();
    }

    @Test
    void aCommitNeedsTheGroupAndEachOfItsTopics() throws Exception {
        assertThat(commit("mine", "secret", "open")).containsExactly(GROUP_DENIED, GROUP_DENIED);
        rights.group(Operation.READ, "mine");
        assertThat(commit("mine", "secret")).containsExactly(TOPIC_DENIED);
        rights.topic(Operation.READ, "open");
        assertThat(commit("mine", "open", "secret")).containsExactly((short) 0, TOPIC_DENIED);
    }

    private OffsetFetchResponseGroup offsets(String group, @Nullable List<String> topics) throws Exception {
        OffsetFetchRequestGroup asked = new OffsetFetchRequestGroup()
                .groupId(group)
                .topics(
                        topics == null
                                ? null
                                : topics.stream()
                                        .map(name -> new OffsetFetchRequestTopics()
                                                .name(name)
                                                .partitionIndexes(new int[1]))
                                        .toList());
        return broker.ask(
                        ApiKey.OFFSET_FETCH,
                        BY_NAME,
                        new OffsetFetchRequest().groups(List.of(asked)),
                        OffsetFetchResponse::read)
                .groups()
                .get(0);
    }

    @Test
    void allOffsetsOfAGroupAreThoseOfTopicsThatMayBeDescribed() throws Exception {
        assertThat(offsets("mine", null).errorCode()).isEqualTo(GROUP_DENIED);
        rights.group(Operation.DESCRIBE, "mine").topic(Operation.DESCRIBE, "open");
        assertThat(offsets("mine", null).topics())
                .hasSize(1)
                .allMatch(topic -> topic.name().equals("open"));
    }

    @Test
    void offsetsOfANamedTopicNeedTheTopic() throws Exception {
        rights.group(Operation.DESCRIBE, "mine").topic(Operation.DESCRIBE, "open");

        List<Short> codes = offsets("mine", List.of("secret", "no-such-topic", "open")).topics().stream()
                .map(topic -> topic.partitions().get(0).errorCode())
                .toList();

        assertThat(codes).containsExactly(TOPIC_DENIED, TOPIC_DENIED, (short) 0);
    }

    @Test
    void anOldClientGetsTheErrorOfTheGroupInEachPartition() throws Exception {
        OffsetFetchRequest request = new OffsetFetchRequest()
                .groupId("mine")
                .topics(List.of(new OffsetFetchRequestTopic().name("open").partitionIndexes(new int[1])));

        OffsetFetchResponse response = broker.ask(ApiKey.OFFSET_FETCH, 1, request, OffsetFetchResponse::read);

        assertThat(response.topics().get(0).partitions().get(0).errorCode()).isEqualTo(GROUP_DENIED);
    }

    @Test
    void offsetsAreDeletedForTopicsThatMayBeRead() throws Exception {
        OffsetDeleteRequest request = new OffsetDeleteRequest()
                .groupId("mine")
                .topics(Stream.of("open", "secret")
                        .map(name -> new OffsetDeleteRequestTopic()
                                .name(name)
                                .partitions(List.of(new OffsetDeleteRequestPartition())))
                        .toList());

        assertThat(delete(request).errorCode()).isEqualTo(GROUP_DENIED);
        rights.group(Operation.DELETE, "mine").topic(Operation.READ, "open");
        assertThat(delete(request).topics().stream()
                        .map(topic -> topic.partitions().get(0).errorCode()))
                .containsExactly((short) 0, TOPIC_DENIED);
    }

    /** The handler may change the request. */
    private OffsetDeleteResponse delete(OffsetDeleteRequest request) throws Exception {
        return broker.ask(
                ApiKey.OFFSET_DELETE,
                new OffsetDeleteRequest().groupId(request.groupId()).topics(request.topics()),
                OffsetDeleteResponse::read);
    }

    // ---- groups ----

    @Test
    void groupsThatMayNotBeDescribedAreNotListed() throws Exception {
        assertThat(list()).isEmpty();
        rights.group(Operation.DESCRIBE, "mine");
        assertThat(list()).containsExactly("mine");
        rights.cluster(Operation.DESCRIBE);
        assertThat(list()).containsExactlyInAnyOrder("mine", "other");
    }

    private List<String> list() throws Exception {
        return broker.ask(ApiKey.LIST_GROUPS, new ListGroupsRequest(), ListGroupsResponse::read).groups().stream()
                .map(ListedGroup::groupId)
                .toList();
    }

    @Test
    void oneGroupOfARequestIsDescribedWithWhatIsAllowed() throws Exception {
        rights.group(Operation.DESCRIBE, "mine").group(Operation.DELETE, "mine");

        DescribeGroupsResponse response = broker.ask(
                ApiKey.DESCRIBE_GROUPS,
                5,
                new DescribeGroupsRequest().groups(List.of("other", "mine")).includeAuthorizedOperations(true),
                DescribeGroupsResponse::read);

        assertThat(response.groups()).hasSize(2);
        assertThat(response.groups())
                .filteredOn(group -> group.groupId().equals("mine"))
                .allMatch(group -> group.errorCode() == 0)
                .allMatch(group -> group.authorizedOperations() == (Operation.DESCRIBE.bit() | Operation.DELETE.bit()));
        assertThat(response.groups())
                .filteredOn(group -> group.groupId().equals("other"))
                .allMatch(group -> group.errorCode() == GROUP_DENIED);
    }

    @Test
    void oneGroupOfARequestIsDeleted() throws Exception {
        rights.group(Operation.DELETE, "mine");

        DeleteGroupsResponse response = broker.ask(
                ApiKey.DELETE_GROUPS,
                new DeleteGroupsRequest().groupsNames(List.of("other", "mine")),
                DeleteGroupsResponse::read);

        assertThat(response.results())
                .extracting(DeletableGroupResult::groupId, DeletableGroupResult::errorCode)
                .containsExactlyInAnyOrder(tuple("mine", (short) 0), tuple("other", GROUP_DENIED));
    }

    @Test
    void theCoordinatorIsForThoseThatMayDescribeTheGroup() throws Exception {
        rights.group(Operation.DESCRIBE, "mine");

        FindCoordinatorResponse response = broker.ask(
                ApiKey.FIND_COORDINATOR,
                new FindCoordinatorRequest().keyType((byte) 0).coordinatorKeys(List.of("mine", "other")),
                FindCoordinatorResponse::read);

        assertThat(response.coordinators().get(0).errorCode()).isZero();
        assertThat(response.coordinators().get(1))
                .matches(denied -> denied.errorCode() == GROUP_DENIED && denied.nodeId() == -1);
    }

    // ---- the consumer protocol ----

    private ConsumerGroupHeartbeatResponse join(@Nullable List<String> names, @Nullable String regex) throws Exception {
        return broker.ask(
                ApiKey.CONSUMER_GROUP_HEARTBEAT,
                new ConsumerGroupHeartbeatRequest()
                        .groupId("c")
                        .memberId("m")
                        .rebalanceTimeoutMs(10_000)
                        .subscribedTopicNames(names)
                        .subscribedTopicRegex(regex)
                        .topicPartitions(List.of()),
                ConsumerGroupHeartbeatResponse::read);
    }

    @Test
    void aMemberNeedsTheGroupAndAllTopicsOfItsSubscription() throws Exception {
        assertThat(join(List.of("open"), null).errorCode()).isEqualTo(GROUP_DENIED);
        rights.group(Operation.READ, "c").topic(Operation.DESCRIBE, "open");
        assertThat(join(List.of("open", "secret"), null).errorCode()).isEqualTo(TOPIC_DENIED);
        assertThat(join(List.of("open"), null).errorCode()).isZero();
    }

    @Test
    void aRegularExpressionMatchesTopicsThatTheMemberMayDescribe() throws Exception {
        rights.group(Operation.READ, "c").group(Operation.DESCRIBE, "c").topic(Operation.DESCRIBE, "open");
        assertThat(join(null, ".*").errorCode()).isZero();
        broker.access(Access.UNLIMITED);

        // The topics are searched by another thread. Until then the group is stable, and has none.
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        List<TopicPartitions> assigned = assigned();
        while (assigned.isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.onSpinWait();
            assigned = assigned();
        }

        assertThat(assigned).hasSize(1).allMatch(topic -> topic.topicName().equals("open"));
    }

    private List<TopicPartitions> assigned() throws Exception {
        return describe().members().get(0).targetAssignment().topicPartitions();
    }

    private DescribedGroup describe() throws Exception {
        return broker.ask(
                        ApiKey.CONSUMER_GROUP_DESCRIBE,
                        new ConsumerGroupDescribeRequest().groupIds(List.of("c")),
                        ConsumerGroupDescribeResponse::read)
                .groups()
                .get(0);
    }

    @Test
    void aGroupWithATopicThatIsHiddenIsNotDescribed() throws Exception {
        broker.access(Access.UNLIMITED);
        assertThat(join(List.of("open", "secret"), null).errorCode()).isZero();
        broker.access(rights.group(Operation.DESCRIBE, "c").topic(Operation.DESCRIBE, "open"));

        assertThat(describe())
                .matches(hidden ->
                        hidden.errorCode() == TOPIC_DENIED && hidden.members().isEmpty());
        rights.topic(Operation.DESCRIBE, "secret");
        assertThat(describe())
                .matches(seen -> seen.errorCode() == 0 && seen.members().size() == 1);
    }

    // ---- share groups ----

    private ShareGroupHeartbeatResponse joinToShare(String... names) throws Exception {
        return broker.ask(
                ApiKey.SHARE_GROUP_HEARTBEAT,
                new ShareGroupHeartbeatRequest().groupId("s").memberId("m").subscribedTopicNames(List.of(names)),
                ShareGroupHeartbeatResponse::read);
    }

    private ShareGroupDescribeResponse.DescribedGroup describeShare() throws Exception {
        return broker.ask(
                        ApiKey.SHARE_GROUP_DESCRIBE,
                        new ShareGroupDescribeRequest().groupIds(List.of("s")),
                        ShareGroupDescribeResponse::read)
                .groups()
                .get(0);
    }

    @Test
    void aMemberOfAShareGroupNeedsTheGroupAndAllTopicsOfItsSubscription() throws Exception {
        assertThat(joinToShare("open").errorCode()).isEqualTo(GROUP_DENIED);
        rights.group(Operation.READ, "s").topic(Operation.DESCRIBE, "open");
        assertThat(joinToShare("open", "secret").errorCode()).isEqualTo(TOPIC_DENIED);
        assertThat(joinToShare("open").errorCode()).isZero();
    }

    @Test
    void aShareGroupWithATopicThatIsHiddenIsNotDescribed() throws Exception {
        broker.access(Access.UNLIMITED);
        assertThat(joinToShare("open", "secret").errorCode()).isZero();
        broker.access(rights);
        assertThat(describeShare().errorCode()).isEqualTo(GROUP_DENIED);
        rights.group(Operation.DESCRIBE, "s").topic(Operation.DESCRIBE, "open");

        assertThat(describeShare())
                .matches(hidden ->
                        hidden.errorCode() == TOPIC_DENIED && hidden.members().isEmpty());
        rights.topic(Operation.DESCRIBE, "secret");
        assertThat(describeShare())
                .matches(seen -> seen.errorCode() == 0 && seen.members().size() == 1);
    }

    @Test
    void startOffsetsOfHiddenTopicsAreNotDescribed() throws Exception {
        broker.access(Access.UNLIMITED);
        assertThat(joinToShare("open", "secret").errorCode()).isZero();
        broker.access(rights);
        DescribeShareGroupOffsetsRequestGroup group = new DescribeShareGroupOffsetsRequestGroup().groupId("s");
        DescribeShareGroupOffsetsRequest request =
                new DescribeShareGroupOffsetsRequest().groups(List.of(group.topics(null)));
        assertThat(describeOffsets(request).errorCode()).isEqualTo(GROUP_DENIED);
        rights.group(Operation.DESCRIBE, "s").topic(Operation.DESCRIBE, "open");

        assertThat(describeOffsets(request).topics())
                .extracting(DescribeShareGroupOffsetsResponseTopic::topicName)
                .containsExactly("open");
        group.topics(List.of(
                new DescribeShareGroupOffsetsRequestTopic().topicName("secret").partitions(new int[1])));
        assertThat(describeOffsets(request).topics().get(0).partitions().get(0).errorCode())
                .isEqualTo(TOPIC_DENIED);
    }

    private DescribeShareGroupOffsetsResponseGroup describeOffsets(DescribeShareGroupOffsetsRequest request)
            throws Exception {
        return broker.ask(ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS, request, DescribeShareGroupOffsetsResponse::read)
                .groups()
                .get(0);
    }

    @Test
    void aChangeOfStartOffsetsNeedsTheGroupAndEachOfItsTopics() throws Exception {
        AlterShareGroupOffsetsRequest alter =
                new AlterShareGroupOffsetsRequest().groupId("s").topics(List.of(start("open"), start("secret")));
        DeleteShareGroupOffsetsRequest delete = new DeleteShareGroupOffsetsRequest()
                .groupId("s")
                .topics(List.of(
                        new DeleteShareGroupOffsetsRequestTopic().topicName("open"),
                        new DeleteShareGroupOffsetsRequestTopic().topicName("secret")));
        assertThat(alter(alter).errorCode()).isEqualTo(GROUP_DENIED);
        assertThat(delete(delete).errorCode()).isEqualTo(GROUP_DENIED);
        rights.group(Operation.READ, "s").group(Operation.DELETE, "s").topic(Operation.READ, "open");

        assertThat(alter(alter).responses())
                .extracting(topic -> topic.partitions().get(0).errorCode())
                .containsExactlyInAnyOrder((short) 0, TOPIC_DENIED);
        assertThat(delete(delete).responses())
                .extracting(topic -> topic.errorCode())
                .containsExactlyInAnyOrder((short) 0, TOPIC_DENIED);
    }

    @Test
    void anErrorOfTheGroupComesBeforeThoseOfItsTopics() throws Exception {
        rights.group(Operation.DELETE, "s");

        DeleteShareGroupOffsetsResponse response = delete(new DeleteShareGroupOffsetsRequest()
                .groupId("s")
                .topics(List.of(new DeleteShareGroupOffsetsRequestTopic().topicName("secret"))));

        assertThat(response.errorCode()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
        assertThat(response.responses()).isEmpty();
    }

    private static AlterShareGroupOffsetsRequestTopic start(String topic) {
        return new AlterShareGroupOffsetsRequestTopic()
                .topicName(topic)
                .partitions(List.of(new AlterShareGroupOffsetsRequestPartition()));
    }

    private AlterShareGroupOffsetsResponse alter(AlterShareGroupOffsetsRequest request) throws Exception {
        return broker.ask(ApiKey.ALTER_SHARE_GROUP_OFFSETS, request, AlterShareGroupOffsetsResponse::read);
    }

    private DeleteShareGroupOffsetsResponse delete(DeleteShareGroupOffsetsRequest request) throws Exception {
        return broker.ask(ApiKey.DELETE_SHARE_GROUP_OFFSETS, request, DeleteShareGroupOffsetsResponse::read);
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.GroupSubscribedToTopicException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Descriptions and changes of groups by administrators. */
@SeveralBrokers
final class GroupAdminIT {
    private static final TopicPartition FIRST = new TopicPartition("t", 0);
    private static final TopicPartition SECOND = new TopicPartition("t", 1);

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(
                directory, Map.of("group.initial.rebalance.delay.ms", "100", "group.min.session.timeout.ms", "1000"));
        admin = Clients.admin(broker);
        admin.createTopics(List.of(new NewTopic("t", 2, (short) 1), new NewTopic("u", 1, (short) 1)))
                .all()
                .get();
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    @Test
    void offsetsAreSetReadAndDeleted() throws Exception {
        admin.alterConsumerGroupOffsets(
                        "g", Map.of(FIRST, new OffsetAndMetadata(7, "note"), SECOND, new OffsetAndMetadata(8)))
                .all()
                .get();
        admin.alterConsumerGroupOffsets("h", Map.of(FIRST, new OffsetAndMetadata(9)))
                .all()
                .get();

        assertThat(admin.listConsumerGroupOffsets(Map.of(
                                "g", new ListConsumerGroupOffsetsSpec(),
                                "h", new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(FIRST, SECOND)),
                                "nobody", new ListConsumerGroupOffsetsSpec()))
                        .all()
                        .get())
                .hasEntrySatisfying(
                        "g",
                        offsets -> assertThat(offsets)
                                .isEqualTo(Map.of(
                                        FIRST, new OffsetAndMetadata(7, "note"), SECOND, new OffsetAndMetadata(8))))
                .hasEntrySatisfying(
                        "h",
                        offsets -> assertThat(offsets)
                                .containsEntry(FIRST, new OffsetAndMetadata(9))
                                .containsEntry(SECOND, null))
                .hasEntrySatisfying("nobody", offsets -> assertThat(offsets).isEmpty());

        admin.deleteConsumerGroupOffsets("g", Set.of(FIRST)).all().get();
        assertThat(admin.listConsumerGroupOffsets("g")
                        .partitionsToOffsetAndMetadata()
                        .get())
                .containsOnlyKeys(SECOND);
    }

    @Test
    void groupsAreListedDescribedAndDeleted() throws Exception {
        admin.alterConsumerGroupOffsets("simple", Map.of(FIRST, new OffsetAndMetadata(1)))
                .all()
                .get();
        try (GroupMember member = member("team")) {
            awaitPartitions(member, 2);

            assertThat(admin.listGroups().all().get())
                    .extracting(
                            GroupListing::groupId,
                            listing -> listing.groupState().orElseThrow())
                    .containsExactlyInAnyOrder(
                            org.assertj.core.groups.Tuple.tuple("team", GroupState.STABLE),
                            org.assertj.core.groups.Tuple.tuple("simple", GroupState.EMPTY));
            assertThat(listed(new ListGroupsOptions().inGroupStates(Set.of(GroupState.STABLE))))
                    .containsExactly("team");
            assertThat(listed(new ListGroupsOptions().withTypes(Set.of(GroupType.CONSUMER))))
                    .isEmpty();
            assertThat(listed(new ListGroupsOptions().withTypes(Set.of(GroupType.CLASSIC))))
                    .hasSize(2);

            ConsumerGroupDescription described = describe("team");
            assertThat(described.groupState()).isEqualTo(GroupState.STABLE);
            assertThat(described.partitionAssignor()).isEqualTo("range");
            assertThat(described.members()).singleElement().satisfies(one -> {
                assertThat(one.assignment().topicPartitions()).containsExactlyInAnyOrder(FIRST, SECOND);
                assertThat(one.host()).isEqualTo("/127.0.0.1");
                assertThat(one.clientId()).startsWith("consumer-team");
            });
            assertFails(admin.deleteConsumerGroups(List.of("team")).all(), GroupNotEmptyException.class);
            assertFails(
                    admin.deleteConsumerGroupOffsets("team", Set.of(FIRST)).all(),
                    GroupSubscribedToTopicException.class);
            assertFails(
                    admin.alterConsumerGroupOffsets("team", Map.of(FIRST, new OffsetAndMetadata(1)))
                            .all(),
                    UnknownMemberIdException.class);
        }
        assertThat(describe("team").groupState()).isEqualTo(GroupState.EMPTY);

        admin.deleteConsumerGroups(List.of("team", "simple")).all().get();

        assertThat(admin.listGroups().all().get()).isEmpty();
        assertFails(admin.deleteConsumerGroups(List.of("team")).all(), GroupIdNotFoundException.class);
        assertFails(admin.describeConsumerGroups(List.of("team")).all(), GroupIdNotFoundException.class);
    }

    @Test
    void membersAreRemovedByAnAdministrator() throws Exception {
        Map<String, Object> instance = Map.of("group.instance.id", "one", "session.timeout.ms", "30000");
        try (GroupMember member =
                new GroupMember(broker, "team", instance, consumer -> consumer.subscribe(List.of("t")))) {
            awaitPartitions(member, 2);
        }
        assertThat(describe("team").members()).hasSize(1);

        admin.removeMembersFromConsumerGroup(
                        "team", new RemoveMembersFromConsumerGroupOptions(List.of(new MemberToRemove("one"))))
                .all()
                .get();

        assertThat(describe("team").groupState()).isEqualTo(GroupState.EMPTY);
    }

    @Test
    void theOffsetsOfADeletedTopicAreDeleted() throws Exception {
        TopicPartition other = new TopicPartition("u", 0);
        admin.alterConsumerGroupOffsets("g", Map.of(FIRST, new OffsetAndMetadata(7), other, new OffsetAndMetadata(1)))
                .all()
                .get();
        admin.deleteTopics(List.of("t")).all().get();
        assertThat(admin.listConsumerGroupOffsets("g")
                        .partitionsToOffsetAndMetadata()
                        .get())
                .containsOnlyKeys(other);

        admin.createTopics(List.of(new NewTopic("t", 2, (short) 1))).all().get();

        assertThat(admin.listConsumerGroupOffsets("g")
                        .partitionsToOffsetAndMetadata()
                        .get())
                .containsOnlyKeys(other);
    }

    private GroupMember member(String group) {
        return new GroupMember(broker, group, Map.of(), consumer -> consumer.subscribe(List.of("t")));
    }

    private static void awaitPartitions(GroupMember member, int count) {
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(member.assignment()).hasSize(count));
    }

    private ConsumerGroupDescription describe(String group) throws Exception {
        return admin.describeConsumerGroups(List.of(group)).all().get().get(group);
    }

    private List<String> listed(ListGroupsOptions options) throws Exception {
        return admin.listGroups(options).all().get().stream()
                .map(GroupListing::groupId)
                .toList();
    }

    private static void assertFails(KafkaFuture<?> future, Class<? extends Exception> cause) {
        assertThatThrownBy(future::get).hasCauseInstanceOf(cause);
    }
}

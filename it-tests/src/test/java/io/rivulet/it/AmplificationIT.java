package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequestCollection;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResourceCollection;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfigCollection;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A resource that is named a thousand times in one request is described or changed once. */
final class AmplificationIT {
    private static final int TIMES = 1_000;

    @RegisterExtension
    static final UnharmedBroker attacked = new UnharmedBroker();

    private Wire wire;

    @BeforeEach
    void connect() throws IOException {
        wire = new Wire(attacked.broker());
    }

    @AfterEach
    void disconnect() throws IOException {
        wire.close();
    }

    private void createTopic() throws Exception {
        try (Admin admin = Clients.admin(attacked.broker())) {
            admin.createTopics(List.of(new NewTopic("there", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    private static List<String> repeated(String name) {
        return Collections.nCopies(TIMES, name);
    }

    @Test
    void aGroupIsDescribedOnce() throws Exception {
        DescribeGroupsResponseData classic = (DescribeGroupsResponseData)
                wire.ask(ApiKeys.DESCRIBE_GROUPS, (short) 5, new DescribeGroupsRequestData().setGroups(repeated("g")));
        ConsumerGroupDescribeResponseData consumer = (ConsumerGroupDescribeResponseData) wire.ask(
                ApiKeys.CONSUMER_GROUP_DESCRIBE,
                (short) 1,
                new ConsumerGroupDescribeRequestData().setGroupIds(repeated("g")));

        assertThat(classic.groups()).hasSize(1);
        assertThat(consumer.groups()).hasSize(1);
    }

    @Test
    void aCoordinatorIsReturnedOnceForEachKey() throws Exception {
        FindCoordinatorResponseData answer = (FindCoordinatorResponseData) wire.ask(
                ApiKeys.FIND_COORDINATOR, (short) 4, new FindCoordinatorRequestData().setCoordinatorKeys(repeated("")));

        assertThat(answer.coordinators()).hasSize(1);
    }

    @Test
    void theConfigsOfAResourceAreDescribedOnce() throws Exception {
        DescribeConfigsResponseData answer = (DescribeConfigsResponseData) wire.ask(
                ApiKeys.DESCRIBE_CONFIGS,
                (short) 4,
                new DescribeConfigsRequestData()
                        .setResources(IntStream.range(0, TIMES)
                                .mapToObj(i -> new DescribeConfigsResource()
                                        .setResourceType((byte) 4)
                                        .setResourceName("1")
                                        .setConfigurationKeys(null))
                                .toList()));

        assertThat(answer.results()).hasSize(1);
        assertThat(answer.results().get(0).configs()).isNotEmpty();
    }

    @Test
    void aResourceThatIsAlteredTwiceInOneRequestIsRefused() throws Exception {
        createTopic();
        AlterConfigsResourceCollection resources = new AlterConfigsResourceCollection();
        for (int i = 0; i < 2; i++) {
            AlterableConfigCollection configs = new AlterableConfigCollection();
            configs.add(new AlterableConfig().setName("retention.ms").setValue("100" + i));
            resources.mustAdd(new AlterConfigsResource()
                    .setResourceType((byte) 2)
                    .setResourceName("there")
                    .setConfigs(configs));
        }
        IncrementalAlterConfigsResponseData answer = (IncrementalAlterConfigsResponseData) wire.ask(
                ApiKeys.INCREMENTAL_ALTER_CONFIGS,
                (short) 1,
                new IncrementalAlterConfigsRequestData().setResources(resources));

        assertThat(answer.responses())
                .hasSize(2)
                .allMatch(one -> Errors.forCode(one.errorCode()) == Errors.INVALID_REQUEST);
    }

    @Test
    void theOffsetsOfAShareGroupAreDescribedOnce() throws Exception {
        createTopic();
        AlterShareGroupOffsetsRequestData alter = new AlterShareGroupOffsetsRequestData().setGroupId("g");
        alter.topics()
                .add(new AlterShareGroupOffsetsRequestTopic()
                        .setTopicName("there")
                        .setPartitions(List.of(new AlterShareGroupOffsetsRequestPartition())));
        wire.ask(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, (short) 0, alter);
        DescribeShareGroupOffsetsRequestTopic topic = new DescribeShareGroupOffsetsRequestTopic()
                .setTopicName("there")
                .setPartitions(Collections.nCopies(10, 0));
        DescribeShareGroupOffsetsRequestGroup named =
                new DescribeShareGroupOffsetsRequestGroup().setGroupId("g").setTopics(Collections.nCopies(10, topic));
        DescribeShareGroupOffsetsRequestGroup all =
                new DescribeShareGroupOffsetsRequestGroup().setGroupId("g").setTopics(null);
        for (DescribeShareGroupOffsetsRequestGroup group : List.of(named, all)) {
            DescribeShareGroupOffsetsResponseData answer = (DescribeShareGroupOffsetsResponseData) wire.ask(
                    ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS,
                    (short) 1,
                    new DescribeShareGroupOffsetsRequestData().setGroups(Collections.nCopies(TIMES, group)));
            assertThat(answer.groups()).hasSize(1);
            assertThat(answer.groups().get(0).topics()).hasSize(1);
            assertThat(answer.groups().get(0).topics().get(0).partitions()).hasSize(1);
        }
    }

    @Test
    void theProducersOfAPartitionAreDescribedOnce() throws Exception {
        createTopic();
        TopicRequestCollection topics = new TopicRequestCollection();
        topics.add(new TopicRequest().setName("there").setPartitionIndexes(Collections.nCopies(TIMES, 0)));
        DescribeProducersResponseData answer = (DescribeProducersResponseData)
                wire.ask(ApiKeys.DESCRIBE_PRODUCERS, (short) 0, new DescribeProducersRequestData().setTopics(topics));

        assertThat(answer.topics().get(0).partitions()).hasSize(1);
    }

    @Test
    void theOffsetsOfAGroupAndTheirMetadataAreReturnedOnce() throws Exception {
        createTopic();
        wire.ask(
                ApiKeys.OFFSET_COMMIT,
                (short) 8,
                new OffsetCommitRequestData()
                        .setGroupId("g")
                        .setTopics(List.of(new OffsetCommitRequestTopic()
                                .setName("there")
                                .setPartitions(List.of(new OffsetCommitRequestPartition()
                                        .setCommittedOffset(7)
                                        .setCommittedMetadata("x".repeat(4000)))))));
        OffsetFetchRequestGroup all =
                new OffsetFetchRequestGroup().setGroupId("g").setTopics(null);
        OffsetFetchRequestGroup some = new OffsetFetchRequestGroup()
                .setGroupId("g")
                .setTopics(List.of(new OffsetFetchRequestTopics()
                        .setName("there")
                        .setPartitionIndexes(Collections.nCopies(TIMES, 0))));
        OffsetFetchResponseData answer = (OffsetFetchResponseData) wire.ask(
                ApiKeys.OFFSET_FETCH,
                (short) 8,
                new OffsetFetchRequestData()
                        .setGroups(Stream.concat(Collections.nCopies(TIMES, all).stream(), Stream.of(some))
                                .toList()));

        assertThat(answer.groups()).hasSize(2);
        assertThat(answer.groups().get(1).topics().get(0).partitions()).hasSize(1);
    }

    /** Each member subscribes to other topics, so that no two topics have the same members. */
    @Test
    void aSlowAssignmentOfOneGroupDelaysNoOtherClient() throws Exception {
        List<String> names = IntStream.range(0, 20_000).mapToObj(i -> "t" + i).toList();
        try (Admin admin = Clients.admin(attacked.broker())) {
            admin.createTopics(names.stream()
                            .map(name -> new NewTopic(name, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        Random random = new Random(20_000);
        for (int member = 1; member <= 24; member++) {
            List<String> half =
                    names.stream().filter(name -> random.nextBoolean()).toList();
            wire.send(
                    ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                    (short) 0,
                    new ConsumerGroupHeartbeatRequestData()
                            .setGroupId("costly")
                            .setMemberEpoch(0)
                            .setServerAssignor("uniform")
                            .setRebalanceTimeoutMs(60_000)
                            .setSubscribedTopicNames(half)
                            .setTopicPartitions(List.of()));

            Unharmed.assertUnharmed(attacked.broker());

            ConsumerGroupHeartbeatResponseData joined = (ConsumerGroupHeartbeatResponseData)
                    wire.receive(ApiKeys.CONSUMER_GROUP_HEARTBEAT, (short) 0, member);
            assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void recordsOfAPartitionAreDeletedOnce() throws Exception {
        createTopic();
        DeleteRecordsRequestData request = new DeleteRecordsRequestData()
                .setTimeoutMs(10_000)
                .setTopics(List.of(new DeleteRecordsTopic()
                        .setName("there")
                        .setPartitions(Collections.nCopies(TIMES, new DeleteRecordsPartition()))));

        DeleteRecordsResponseData answer =
                (DeleteRecordsResponseData) wire.ask(ApiKeys.DELETE_RECORDS, (short) 2, request);

        assertThat(answer.topics().iterator().next().partitions())
                .extracting(partition -> Errors.forCode(partition.errorCode()))
                .filteredOn(Errors.NONE::equals)
                .hasSize(1);
    }
}

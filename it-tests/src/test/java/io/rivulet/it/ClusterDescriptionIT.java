package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the broker says about itself, and about the operations that a client may use. */
@SeveralBrokers
class ClusterDescriptionIT {
    private static final int NOT_ASKED = Integer.MIN_VALUE;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, Map.of("broker.rack", "rack-7"));
        admin = Clients.admin(broker);
        admin.createTopics(List.of(new NewTopic("described", 1, (short) 1)))
                .all()
                .get();
    }

    @AfterEach
    void close() throws IOException {
        admin.close();
        broker.close();
    }

    @Test
    void theNodeHasItsRack() throws Exception {
        assertThat(admin.describeCluster().nodes().get())
                .hasSize(TestBroker.COUNT)
                .extracting(Node::rack)
                .containsOnlyOnce("rack-7");
        assertThat(metadata(new MetadataRequestData()).brokers())
                .hasSize(TestBroker.COUNT)
                .extracting(MetadataResponseData.MetadataResponseBroker::rack)
                .containsOnlyOnce("rack-7");
    }

    @Test
    void aClientThatAsksMayDoEverythingWithTheCluster() throws Exception {
        DescribeClusterOptions options = new DescribeClusterOptions().includeAuthorizedOperations(true);
        assertThat(admin.describeCluster(options).authorizedOperations().get())
                .containsExactlyInAnyOrder(
                        AclOperation.CREATE,
                        AclOperation.ALTER,
                        AclOperation.DESCRIBE,
                        AclOperation.CLUSTER_ACTION,
                        AclOperation.DESCRIBE_CONFIGS,
                        AclOperation.ALTER_CONFIGS,
                        AclOperation.IDEMPOTENT_WRITE);
        assertThat(admin.describeCluster().authorizedOperations().get()).isNull();
        assertThat(metadata(new MetadataRequestData().setIncludeClusterAuthorizedOperations(true))
                        .clusterAuthorizedOperations())
                .isEqualTo(8096);
        assertThat(metadata(new MetadataRequestData()).clusterAuthorizedOperations())
                .isEqualTo(NOT_ASKED);
    }

    @Test
    void aClientThatAsksMayDoEverythingWithATopic() throws Exception {
        DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        Set<AclOperation> operations = admin.describeTopics(List.of("described"), options)
                .allTopicNames()
                .get()
                .get("described")
                .authorizedOperations();
        assertThat(operations)
                .containsExactlyInAnyOrder(
                        AclOperation.READ,
                        AclOperation.WRITE,
                        AclOperation.CREATE,
                        AclOperation.DELETE,
                        AclOperation.ALTER,
                        AclOperation.DESCRIBE,
                        AclOperation.DESCRIBE_CONFIGS,
                        AclOperation.ALTER_CONFIGS);
        assertThat(metadata(new MetadataRequestData().setIncludeTopicAuthorizedOperations(true))
                        .topics()
                        .find("described")
                        .topicAuthorizedOperations())
                .isEqualTo(3576);
        assertThat(metadata(new MetadataRequestData())
                        .topics()
                        .find("described")
                        .topicAuthorizedOperations())
                .isEqualTo(NOT_ASKED);
    }

    @Test
    void aClientThatAsksMayDoEverythingWithAGroup() throws Exception {
        admin.alterConsumerGroupOffsets("classic", Map.of(new TopicPartition("described", 0), new OffsetAndMetadata(0)))
                .all()
                .get();
        DescribeConsumerGroupsOptions options = new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
        assertThat(admin.describeConsumerGroups(List.of("classic"), options)
                        .describedGroups()
                        .get("classic")
                        .get()
                        .authorizedOperations())
                .containsExactlyInAnyOrder(
                        AclOperation.READ,
                        AclOperation.DELETE,
                        AclOperation.DESCRIBE,
                        AclOperation.DESCRIBE_CONFIGS,
                        AclOperation.ALTER_CONFIGS);
        try (Wire wire = new Wire(broker)) {
            assertThat(classic(wire, true)).isEqualTo(3400);
            assertThat(classic(wire, false)).isEqualTo(NOT_ASKED);
            join(wire, "new");
            assertThat(consumer(wire, "new", true)).isEqualTo(3400);
            assertThat(consumer(wire, "new", false)).isEqualTo(NOT_ASKED);
            assertThat(consumer(wire, "missing", true)).isEqualTo(NOT_ASKED);
        }
    }

    private static void join(Wire wire, String group) throws IOException {
        ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(Uuid.randomUuid().toString())
                .setRebalanceTimeoutMs(60_000)
                .setTopicPartitions(List.of())
                .setSubscribedTopicNames(List.of("described"));
        wire.ask(ApiKeys.CONSUMER_GROUP_HEARTBEAT, (short) 1, request);
    }

    private MetadataResponseData metadata(MetadataRequestData request) throws IOException {
        try (Wire wire = new Wire(broker)) {
            return (MetadataResponseData) wire.ask(ApiKeys.METADATA, (short) 10, request.setTopics(null));
        }
    }

    private static int classic(Wire wire, boolean asked) throws IOException {
        DescribeGroupsRequestData request =
                new DescribeGroupsRequestData().setGroups(List.of("classic")).setIncludeAuthorizedOperations(asked);
        DescribeGroupsResponseData answer =
                (DescribeGroupsResponseData) wire.ask(ApiKeys.DESCRIBE_GROUPS, (short) 5, request);
        return answer.groups().get(0).authorizedOperations();
    }

    private static int consumer(Wire wire, String group, boolean asked) throws IOException {
        ConsumerGroupDescribeRequestData request = new ConsumerGroupDescribeRequestData()
                .setGroupIds(List.of(group))
                .setIncludeAuthorizedOperations(asked);
        ConsumerGroupDescribeResponseData answer =
                (ConsumerGroupDescribeResponseData) wire.ask(ApiKeys.CONSUMER_GROUP_DESCRIBE, (short) 1, request);
        return answer.groups().get(0).authorizedOperations();
    }
}

package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.AlterConfigsRequest;
import io.rivulet.protocol.message.AlterConfigsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreatePartitionsRequest;
import io.rivulet.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import io.rivulet.protocol.message.CreatePartitionsResponse;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.DeleteRecordsRequest;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import io.rivulet.protocol.message.DeleteRecordsResponse;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.DescribeLogDirsRequest;
import io.rivulet.protocol.message.DescribeLogDirsResponse;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import io.rivulet.protocol.message.ListOffsetsRequest;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import io.rivulet.protocol.message.ListOffsetsResponse;
import io.rivulet.protocol.message.ListPartitionReassignmentsRequest;
import io.rivulet.protocol.message.ListPartitionReassignmentsResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import io.rivulet.protocol.message.OffsetForLeaderEpochResponse;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests for topics, their configs and the contents of their partitions. */
final class TopicApisTest {
    private static final String TOPIC = "orders";
    private static final byte OF_TOPIC = 2;
    private static final byte SET = 0;
    private static final long LATEST = -1;

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    @BeforeEach
    void createTopic() throws Exception {
        CreateTopicsResponse created = create(TOPIC, 3);
        assertThat(created.topics().get(0).errorCode()).isZero();
    }

    @Test
    void aTopicThatExistsIsNotCreatedAgain() throws Exception {
        assertThat(create(TOPIC, 1).topics().get(0).errorCode()).isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS.code());
    }

    @Test
    void metadataNamesTheLeaderOfEachPartition() throws Exception {
        MetadataResponse response =
                broker.ask(ApiKey.METADATA, new MetadataRequest().topics(null), MetadataResponse::read);

        assertThat(response.topics()).hasSize(1);
        assertThat(response.topics().get(0).name()).isEqualTo(TOPIC);
        assertThat(response.topics().get(0).partitions())
                .hasSize(3)
                .allMatch(partition -> partition.leaderId() == TestBroker.NODE_ID);
    }

    @Test
    void topicPartitionsAreDescribedInPages() throws Exception {
        DescribeTopicPartitionsResponse response = broker.ask(
                ApiKey.DESCRIBE_TOPIC_PARTITIONS,
                new DescribeTopicPartitionsRequest().responsePartitionLimit(2),
                DescribeTopicPartitionsResponse::read);

        assertThat(response.topics().get(0).partitions()).hasSize(2);
        assertThat(Objects.requireNonNull(response.nextCursor()).partitionIndex())
                .isEqualTo(2);
    }

    @Test
    void aTopicGetsMorePartitionsAndNeverFewer() throws Exception {
        assertThat(resize(5)).isZero();
        assertThat(resize(4)).isEqualTo(ErrorCode.INVALID_PARTITIONS.code());
    }

    private short resize(int count) throws Exception {
        CreatePartitionsTopic wanted =
                new CreatePartitionsTopic().name(TOPIC).count(count).assignments(null);
        return broker.ask(
                        ApiKey.CREATE_PARTITIONS,
                        new CreatePartitionsRequest().topics(List.of(wanted)),
                        CreatePartitionsResponse::read)
                .results()
                .get(0)
                .errorCode();
    }

    @Test
    void aDeletedTopicIsUnknown() throws Exception {
        assertThat(delete().responses().get(0).errorCode()).isZero();
        assertThat(delete().responses().get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    private DeleteTopicsResponse delete() throws Exception {
        return broker.ask(
                ApiKey.DELETE_TOPICS,
                new DeleteTopicsRequest().topics(List.of(new DeleteTopicState().name(TOPIC))),
                DeleteTopicsResponse::read);
    }

    @Test
    void noPartitionIsBeingReassigned() throws Exception {
        ListPartitionReassignmentsResponse response = broker.ask(
                ApiKey.LIST_PARTITION_REASSIGNMENTS,
                new ListPartitionReassignmentsRequest(),
                ListPartitionReassignmentsResponse::read);

        assertThat(response.errorCode()).isZero();
        assertThat(response.topics()).isEmpty();
    }

    @Test
    void configsAreAlteredByBothApis() throws Exception {
        AlterConfigsRequest all = new AlterConfigsRequest()
                .resources(List.of(new AlterConfigsRequest.AlterConfigsResource()
                        .resourceType(OF_TOPIC)
                        .resourceName(TOPIC)
                        .configs(List.of(new AlterConfigsRequest.AlterableConfig()
                                .name("retention.ms")
                                .value("1000")))));
        assertThat(broker.ask(ApiKey.ALTER_CONFIGS, all, AlterConfigsResponse::read)
                        .responses()
                        .get(0)
                        .errorCode())
                .isZero();
        assertThat(retentionMillis()).isEqualTo("1000");

        IncrementalAlterConfigsRequest one = new IncrementalAlterConfigsRequest()
                .resources(List.of(new IncrementalAlterConfigsRequest.AlterConfigsResource()
                        .resourceType(OF_TOPIC)
                        .resourceName(TOPIC)
                        .configs(List.of(new IncrementalAlterConfigsRequest.AlterableConfig()
                                .name("retention.ms")
                                .configOperation(SET)
                                .value("2000")))));
        assertThat(broker.ask(ApiKey.INCREMENTAL_ALTER_CONFIGS, one, IncrementalAlterConfigsResponse::read)
                        .responses()
                        .get(0)
                        .errorCode())
                .isZero();
        assertThat(retentionMillis()).isEqualTo("2000");
    }

    private String retentionMillis() throws Exception {
        DescribeConfigsResource resource = new DescribeConfigsResource()
                .resourceType(OF_TOPIC)
                .resourceName(TOPIC)
                .configurationKeys(List.of("retention.ms"));
        DescribeConfigsResponse response = broker.ask(
                ApiKey.DESCRIBE_CONFIGS,
                new DescribeConfigsRequest().resources(List.of(resource)),
                DescribeConfigsResponse::read);
        return String.valueOf(response.results().get(0).configs().get(0).value());
    }

    @Test
    void anEmptyPartitionBeginsAndEndsAtZero() throws Exception {
        ListOffsetsRequest request = new ListOffsetsRequest()
                .topics(List.of(new ListOffsetsTopic()
                        .name(TOPIC)
                        .partitions(List.of(
                                new ListOffsetsPartition().partitionIndex(0).timestamp(LATEST),
                                new ListOffsetsPartition().partitionIndex(9).timestamp(LATEST)))));

        var partitions = broker.ask(ApiKey.LIST_OFFSETS, request, ListOffsetsResponse::read)
                .topics()
                .get(0)
                .partitions();

        assertThat(partitions.get(0).offset()).isZero();
        assertThat(partitions.get(1).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void theOnlyLeaderEpochEndsAtTheEndOfThePartition() throws Exception {
        OffsetForLeaderEpochRequest request = new OffsetForLeaderEpochRequest()
                .topics(List.of(new OffsetForLeaderTopic()
                        .topic(TOPIC)
                        .partitions(List.of(
                                new OffsetForLeaderPartition().partition(0).leaderEpoch(0),
                                new OffsetForLeaderPartition()
                                        .partition(1)
                                        .currentLeaderEpoch(7)
                                        .leaderEpoch(0)))));

        var partitions = broker.ask(ApiKey.OFFSET_FOR_LEADER_EPOCH, request, OffsetForLeaderEpochResponse::read)
                .topics()
                .get(0)
                .partitions();

        assertThat(partitions.get(0).endOffset()).isZero();
        assertThat(partitions.get(1).errorCode()).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH.code());
    }

    @Test
    void recordsThatDoNotExistAreNotDeleted() throws Exception {
        DeleteRecordsRequest request = new DeleteRecordsRequest()
                .topics(List.of(new DeleteRecordsTopic()
                        .name(TOPIC)
                        .partitions(List.of(
                                new DeleteRecordsPartition().partitionIndex(0).offset(5),
                                new DeleteRecordsPartition().partitionIndex(1).offset(0)))));

        var partitions = broker.ask(ApiKey.DELETE_RECORDS, request, DeleteRecordsResponse::read)
                .topics()
                .get(0)
                .partitions();

        assertThat(partitions.get(0).errorCode()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE.code());
        assertThat(partitions.get(1).lowWatermark()).isZero();
    }

    @Test
    void theOneLogDirectoryIsDescribed() throws Exception {
        DescribeLogDirsRequest health = new DescribeLogDirsRequest().topics(List.of());

        var results = broker.ask(ApiKey.DESCRIBE_LOG_DIRS, 1, health, DescribeLogDirsResponse::read)
                .results();

        assertThat(results).hasSize(1);
        assertThat(results.get(0).logDir())
                .isEqualTo(broker.directory().toAbsolutePath().toString());
        assertThat(results.get(0).errorCode()).isZero();
    }

    private CreateTopicsResponse create(String name, int partitions) throws Exception {
        CreatableTopic wanted =
                new CreatableTopic().name(name).numPartitions(partitions).replicationFactor((short) 1);
        return broker.ask(
                ApiKey.CREATE_TOPICS,
                new CreateTopicsRequest().topics(List.of(wanted)).timeoutMs(1000),
                CreateTopicsResponse::read);
    }
}

package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.node.Nodes;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import io.rivulet.protocol.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import io.rivulet.protocol.message.AlterPartitionReassignmentsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.protocol.message.CreatePartitionsRequest;
import io.rivulet.protocol.message.CreatePartitionsRequest.CreatePartitionsAssignment;
import io.rivulet.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import io.rivulet.protocol.message.CreatePartitionsResponse;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableReplicaAssignment;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeClusterResponse.DescribeClusterBroker;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import io.rivulet.protocol.message.DescribeQuorumRequest;
import io.rivulet.protocol.message.DescribeQuorumResponse;
import io.rivulet.protocol.message.DescribeQuorumResponse.PartitionData;
import io.rivulet.protocol.message.DescribeQuorumResponse.ReplicaState;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.FindCoordinatorResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseBroker;
import io.rivulet.protocol.message.UnregisterBrokerRequest;
import io.rivulet.protocol.message.UnregisterBrokerResponse;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the owner of a shard answers about itself, broker 1, and about brokers 0 and 2. */
final class ClusterOfThreeTest {
    private static final int EPOCH = 7;
    private static final Peer ZERO = new Peer(0, "PLAINTEXT://zero:9092,CLIENTS://zero.example:19092");
    private static final Peer ONE = new Peer(1, "PLAINTEXT://one:9092,CLIENTS://one.example:19092");
    private static final Peer TWO = new Peer(2, "PLAINTEXT://two:9092");
    private static final byte OF_BROKER = 4;
    private static final String TOPIC = "orders";

    private Overview overview = new Overview(List.of(ZERO, ONE, TWO), 1, EPOCH);

    @RegisterExtension
    final TestBroker broker = new TestBroker(
            Map.of("default.replication.factor", "2"), config -> Nodes.cluster(config, () -> overview, EPOCH));

    private MetadataResponse metadata() throws Exception {
        return broker.ask(ApiKey.METADATA, new MetadataRequest().topics(null), MetadataResponse::read);
    }

    // ---- brokers ----

    @Test
    void metadataNamesTheBrokersThatHaveTheListener() throws Exception {
        assertThat(metadata().controllerId()).isEqualTo(1);
        assertThat(metadata().brokers())
                .extracting(MetadataResponseBroker::nodeId, MetadataResponseBroker::host, MetadataResponseBroker::port)
                .containsExactly(tuple(0, "zero", 9092), tuple(1, "localhost", 9092), tuple(2, "two", 9092));

        broker.listenerName("CLIENTS");

        assertThat(metadata().brokers())
                .extracting(MetadataResponseBroker::nodeId, MetadataResponseBroker::host)
                .containsExactly(tuple(0, "zero.example"), tuple(1, "localhost"));
    }

    @Test
    void theDescriptionOfTheClusterNamesTheSameBrokers() throws Exception {
        DescribeClusterResponse response =
                broker.ask(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse::read);

        assertThat(response.controllerId()).isEqualTo(1);
        assertThat(response.brokers())
                .extracting(DescribeClusterBroker::brokerId, DescribeClusterBroker::host, DescribeClusterBroker::port)
                .containsExactly(tuple(0, "zero", 9092), tuple(1, "localhost", 9092), tuple(2, "two", 9092));
    }

    @Test
    void theOtherBrokersObserveTheQuorum() throws Exception {
        DescribeQuorumRequest request = new DescribeQuorumRequest()
                .topics(List.of(new DescribeQuorumRequest.TopicData()
                        .topicName("__cluster_metadata")
                        .partitions(List.of(new DescribeQuorumRequest.PartitionData()))));

        DescribeQuorumResponse response = broker.ask(ApiKey.DESCRIBE_QUORUM, request, DescribeQuorumResponse::read);

        PartitionData quorum = response.topics().get(0).partitions().get(0);
        assertThat(quorum.leaderId()).isEqualTo(1);
        assertThat(quorum.currentVoters()).extracting(ReplicaState::replicaId).containsExactly(1);
        assertThat(quorum.observers())
                .extracting(ReplicaState::replicaId, ReplicaState::logEndOffset)
                .containsExactly(tuple(0, quorum.highWatermark()), tuple(2, quorum.highWatermark()));
        assertThat(response.nodes())
                .extracting(DescribeQuorumResponse.Node::nodeId)
                .containsExactly(0, 1, 2);
    }

    @Test
    void theOwnerCoordinatesEverything() throws Exception {
        FindCoordinatorRequest request =
                new FindCoordinatorRequest().keyType((byte) 0).coordinatorKeys(List.of("g"));

        FindCoordinatorResponse response = broker.ask(ApiKey.FIND_COORDINATOR, request, FindCoordinatorResponse::read);

        assertThat(response.coordinators())
                .singleElement()
                .matches(one -> one.nodeId() == 1 && one.host().equals("localhost") && one.port() == 9092);
    }

    @Test
    void noBrokerThatLivesIsUnregistered() throws Exception {
        assertThat(unregister(1)).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(unregister(2)).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(unregister(3)).isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
    }

    private ErrorCode unregister(int id) throws Exception {
        UnregisterBrokerRequest request = new UnregisterBrokerRequest().brokerId(id);
        return ErrorCode.forCode(broker.ask(ApiKey.UNREGISTER_BROKER, request, UnregisterBrokerResponse::read)
                .errorCode());
    }

    @Test
    void aClientMayExpectABrokerThatRelaysItsRequests() throws Exception {
        assertThat(versions(1)).isEqualTo(ErrorCode.NONE);
        assertThat(versions(2)).isEqualTo(ErrorCode.NONE);
        assertThat(versions(3)).as("not a member yet").isEqualTo(ErrorCode.NONE);
    }

    private ErrorCode versions(int expectedNode) throws Exception {
        ApiVersionsRequest request = new ApiVersionsRequest()
                .clientSoftwareName("test")
                .clientSoftwareVersion("1")
                .clusterId(metadata().clusterId())
                .nodeId(expectedNode);
        return ErrorCode.forCode(broker.ask(ApiKey.API_VERSIONS, request, ApiVersionsResponse::read)
                .errorCode());
    }

    // ---- configs ----

    @Test
    void ofAnotherBrokerOnlyWhatWasSetForAllIsKnown() throws Exception {
        assertThat(alter("", "1000")).isEqualTo(ErrorCode.NONE);
        assertThat(alter("1", "2000")).isEqualTo(ErrorCode.NONE);
        assertThat(alter("2", "3000")).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter("3", "4000")).isEqualTo(ErrorCode.INVALID_REQUEST);

        assertThat(configs("2").configs())
                .singleElement()
                .matches(config -> config.name().equals("log.retention.ms") && "1000".equals(config.value()));
        assertThat(configs("").configs())
                .singleElement()
                .matches(config -> config.name().equals("log.retention.ms") && "1000".equals(config.value()));
        assertThat(configs("1").configs())
                .filteredOn(config -> config.name().equals("log.retention.ms"))
                .singleElement()
                .matches(config -> "2000".equals(config.value()));
        assertThat(configs("3").errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        assertThat(configs("02").errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
    }

    private ErrorCode alter(String brokerName, String retention) throws Exception {
        IncrementalAlterConfigsRequest request = new IncrementalAlterConfigsRequest()
                .resources(List.of(new AlterConfigsResource()
                        .resourceType(OF_BROKER)
                        .resourceName(brokerName)
                        .configs(List.of(
                                new AlterableConfig().name("log.retention.ms").value(retention)))));
        return ErrorCode.forCode(
                broker.ask(ApiKey.INCREMENTAL_ALTER_CONFIGS, request, IncrementalAlterConfigsResponse::read)
                        .responses()
                        .get(0)
                        .errorCode());
    }

    private DescribeConfigsResult configs(String brokerName) throws Exception {
        DescribeConfigsRequest request = new DescribeConfigsRequest()
                .resources(List.of(new DescribeConfigsResource()
                        .resourceType(OF_BROKER)
                        .resourceName(brokerName)
                        .configurationKeys(null)));
        return broker.ask(ApiKey.DESCRIBE_CONFIGS, request, DescribeConfigsResponse::read)
                .results()
                .get(0);
    }

    // ---- replicas ----

    private CreatableTopicResult create(int replicationFactor) throws Exception {
        return create(new CreatableTopic().numPartitions(1).replicationFactor((short) replicationFactor));
    }

    private CreatableTopicResult create(CreatableTopic topic) throws Exception {
        CreateTopicsRequest request = new CreateTopicsRequest().timeoutMs(1000).topics(List.of(topic.name(TOPIC)));
        return broker.ask(ApiKey.CREATE_TOPICS, request, CreateTopicsResponse::read)
                .topics()
                .get(0);
    }

    private int[] replicas() throws Exception {
        MetadataResponse.MetadataResponsePartition partition =
                metadata().topics().get(0).partitions().get(0);
        assertThat(partition.leaderId()).isEqualTo(1);
        assertThat(partition.isrNodes()).isEqualTo(partition.replicaNodes());
        assertThat(partition.offlineReplicas()).isEmpty();
        return partition.replicaNodes();
    }

    @Test
    void aReplicationFactorIsAcceptedAsFarAsThereAreBrokers() throws Exception {
        assertThat(create(4).errorCode()).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR.code());
        assertThat(create(0).errorCode()).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR.code());
        assertThat(create(3)).matches(created -> created.errorCode() == 0 && created.replicationFactor() == 2);
        assertThat(replicas()).as("as many as by default").containsExactly(1, 2);
    }

    @Test
    void fewerBrokersAllowFewerReplicas() throws Exception {
        overview = new Overview(List.of(ONE), 1, EPOCH);
        assertThat(create(-1).errorMessage()).contains("2, but there is only 1 broker");
        assertThat(create(1)).matches(created -> created.errorCode() == 0 && created.replicationFactor() == 1);
        assertThat(replicas()).containsExactly(1);

        overview = new Overview(List.of(ZERO, ONE), 1, EPOCH);
        assertThat(replicas()).containsExactly(1, 0);
    }

    @Test
    void topicPartitionsHaveTheSameReplicas() throws Exception {
        create(1);

        DescribeTopicPartitionsResponse response = broker.ask(
                ApiKey.DESCRIBE_TOPIC_PARTITIONS,
                new DescribeTopicPartitionsRequest(),
                DescribeTopicPartitionsResponse::read);

        assertThat(response.topics().get(0).partitions()).singleElement().satisfies(partition -> {
            assertThat(partition.leaderId()).isEqualTo(1);
            assertThat(partition.replicaNodes()).containsExactly(1, 2);
            assertThat(partition.isrNodes()).containsExactly(1, 2);
        });
    }

    @Test
    void aTopicMayBeAssignedToAnyBrokersThatLive() throws Exception {
        assertThat(createAssigned(new int[] {2, 3})).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(createAssigned(new int[] {2, 2})).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(createAssigned(new int[] {})).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(createAssigned(new int[] {2}, new int[] {0, 1})).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(createAssigned(new int[] {2, 0}, new int[] {0, 1})).isEqualTo(ErrorCode.NONE);
        assertThat(replicas()).as("it has no effect").containsExactly(1, 2);
    }

    private ErrorCode createAssigned(int[]... brokers) throws Exception {
        List<CreatableReplicaAssignment> assignments = Arrays.stream(brokers)
                .map(some -> new CreatableReplicaAssignment()
                        .partitionIndex(Arrays.asList(brokers).indexOf(some))
                        .brokerIds(some))
                .toList();
        return ErrorCode.forCode(create(new CreatableTopic()
                        .numPartitions(-1)
                        .replicationFactor((short) -1)
                        .assignments(assignments))
                .errorCode());
    }

    @Test
    void newPartitionsMayBeAssignedToAnyBrokersThatLive() throws Exception {
        create(1);

        assertThat(addPartition(0, 3)).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(addPartition(0, 2)).isEqualTo(ErrorCode.NONE);
    }

    private ErrorCode addPartition(int... brokers) throws Exception {
        CreatePartitionsTopic wanted = new CreatePartitionsTopic()
                .name(TOPIC)
                .count(2)
                .assignments(List.of(new CreatePartitionsAssignment().brokerIds(brokers)));
        CreatePartitionsRequest request = new CreatePartitionsRequest().topics(List.of(wanted));
        return ErrorCode.forCode(broker.ask(ApiKey.CREATE_PARTITIONS, request, CreatePartitionsResponse::read)
                .results()
                .get(0)
                .errorCode());
    }

    @Test
    void aPartitionMayBeReassignedToAnyBrokersThatLive() throws Exception {
        create(1);

        assertThat(reassign(2, 3)).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(reassign(2, 2)).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(reassign()).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(reassign(2, 0)).isEqualTo(ErrorCode.NONE);
        assertThat(replicas()).as("it has no effect").containsExactly(1, 2);
    }

    private ErrorCode reassign(int... brokers) throws Exception {
        AlterPartitionReassignmentsRequest request = new AlterPartitionReassignmentsRequest()
                .timeoutMs(1000)
                .topics(List.of(new ReassignableTopic()
                        .name(TOPIC)
                        .partitions(List.of(new ReassignablePartition().replicas(brokers)))));
        AlterPartitionReassignmentsResponse response =
                broker.ask(ApiKey.ALTER_PARTITION_REASSIGNMENTS, request, AlterPartitionReassignmentsResponse::read);
        return ErrorCode.forCode(response.responses().get(0).partitions().get(0).errorCode());
    }
}

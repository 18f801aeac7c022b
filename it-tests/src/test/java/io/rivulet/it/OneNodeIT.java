package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AddRaftVoterOptions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterPartitionReassignmentsOptions;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.RaftVoterEndpoint;
import org.apache.kafka.clients.admin.RemoveRaftVoterOptions;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.InconsistentClusterIdException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidUpdateVersionException;
import org.apache.kafka.common.errors.LogDirNotFoundException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedByAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDir;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirCollection;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopicCollection;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitionsCollection;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKey;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKeyCollection;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests about replicas, voters and features are answered as by one node of Kafka. */
@SeveralBrokers
final class OneNodeIT {
    private static final TopicPartition THERE = new TopicPartition("there", 1);
    private static final TopicPartition BEYOND = new TopicPartition("there", 2);
    private static final TopicPartition MISSING = new TopicPartition("missing", 0);

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory);
        admin = Clients.admin(broker);
        admin.createTopics(List.of(new NewTopic("there", 2, (short) 1))).all().get();
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    // ---- leaders ----

    @Test
    void anElectionIsNotNeeded() throws Exception {
        for (ElectionType type : ElectionType.values()) {
            Map<TopicPartition, Optional<Throwable>> results = admin.electLeaders(type, Set.of(THERE, BEYOND, MISSING))
                    .partitions()
                    .get();

            assertThat(results.get(THERE)).get().isInstanceOf(ElectionNotNeededException.class);
            assertThat(results.get(BEYOND)).get().isInstanceOf(UnknownTopicOrPartitionException.class);
            assertThat(results.get(MISSING)).get().isInstanceOf(UnknownTopicOrPartitionException.class);
        }
    }

    @Test
    void anElectionForAllPartitionsListsThoseThatWereElected() throws Exception {
        for (ElectionType type : ElectionType.values()) {
            assertThat(admin.electLeaders(type, null).partitions().get()).isEmpty();
        }
    }

    @Test
    void anUnknownTypeOfElectionIsInvalid() throws Exception {
        ElectLeadersRequestData request = new ElectLeadersRequestData()
                .setElectionType((byte) 7)
                .setTopicPartitions(new TopicPartitionsCollection(
                        List.of(new TopicPartitions().setTopic("there").setPartitions(List.of(0)))
                                .iterator()));
        try (Wire wire = new Wire(broker)) {
            ElectLeadersResponseData response =
                    (ElectLeadersResponseData) wire.ask(ApiKeys.ELECT_LEADERS, (short) 2, request);

            assertThat(Errors.forCode(response.errorCode())).isEqualTo(Errors.INVALID_REQUEST);
            assertThat(response.replicaElectionResults().get(0).partitionResult())
                    .extracting(result -> Errors.forCode(result.errorCode()))
                    .containsExactly(Errors.INVALID_REQUEST);
        }
    }

    // ---- replicas ----

    @Test
    @OneBroker("SeveralNodesIT has what several answer")
    void aPartitionIsReassignedToItsOwnBrokerOnly() throws Exception {
        assign(THERE, 1).get();
        admin.alterPartitionReassignments(
                        Map.of(THERE, Optional.of(new NewPartitionReassignment(List.of(1)))),
                        new AlterPartitionReassignmentsOptions().allowReplicationFactorChange(false))
                .all()
                .get();

        assertRefused(assign(THERE, 2), InvalidReplicaAssignmentException.class);
        assertRefused(assign(THERE, 1, 2), InvalidReplicaAssignmentException.class);
        assertRefused(assign(THERE, 1, 1), InvalidReplicaAssignmentException.class);
        assertRefused(assign(BEYOND, 1), UnknownTopicOrPartitionException.class);
        assertRefused(assign(MISSING, 1), UnknownTopicOrPartitionException.class);
        assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
    }

    @Test
    void thereIsNoReassignmentToCancel() {
        assertRefused(
                admin.alterPartitionReassignments(Map.of(THERE, Optional.empty()))
                        .all(),
                NoReassignmentInProgressException.class);
        assertRefused(
                admin.alterPartitionReassignments(Map.of(MISSING, Optional.empty()))
                        .all(),
                UnknownTopicOrPartitionException.class);
    }

    @Test
    void aPartitionIsMovedToItsOwnDirectoryOnly() throws Exception {
        String own = admin.describeLogDirs(List.of(1))
                .allDescriptions()
                .get()
                .get(1)
                .keySet()
                .iterator()
                .next();

        move(THERE, own).get();
        assertRefused(move(THERE, "/elsewhere"), LogDirNotFoundException.class);
        assertRefused(move(BEYOND, own), UnknownTopicOrPartitionException.class);
        assertRefused(move(new TopicPartition("x".repeat(249), 0), own), InvalidTopicException.class);
    }

    @Test
    void partitionsOfATopicForDifferentDirectoriesAreAnsweredTogether() throws Exception {
        AlterReplicaLogDirsRequestData request = new AlterReplicaLogDirsRequestData()
                .setDirs(new AlterReplicaLogDirCollection(
                        List.of(toDirectory("/one", 0), toDirectory("/two", 1)).iterator()));
        try (Wire wire = new Wire(broker)) {
            AlterReplicaLogDirsResponseData response =
                    (AlterReplicaLogDirsResponseData) wire.ask(ApiKeys.ALTER_REPLICA_LOG_DIRS, (short) 2, request);

            assertThat(response.results()).hasSize(1);
            assertThat(response.results().get(0).partitions())
                    .extracting(AlterReplicaLogDirPartitionResult::partitionIndex)
                    .containsExactly(0, 1);
        }
    }

    private static AlterReplicaLogDir toDirectory(String path, int partition) {
        return new AlterReplicaLogDir()
                .setPath(path)
                .setTopics(new AlterReplicaLogDirTopicCollection(
                        List.of(new AlterReplicaLogDirTopic().setName("there").setPartitions(List.of(partition)))
                                .iterator()));
    }

    // ---- voters ----

    @Test
    @OneBroker("SeveralNodesIT has what several answer")
    void theOnlyVoterLeadsTheQuorum() throws Exception {
        QuorumInfo before = admin.describeMetadataQuorum().quorumInfo().get();
        admin.createTopics(List.of(new NewTopic("more", 1, (short) 1))).all().get();
        QuorumInfo after = admin.describeMetadataQuorum().quorumInfo().get();

        assertThat(after.leaderId()).isEqualTo(1);
        assertThat(after.leaderEpoch()).isPositive();
        assertThat(after.observers()).isEmpty();
        assertThat(after.highWatermark()).isGreaterThan(before.highWatermark());
        assertThat(after.voters()).singleElement().satisfies(voter -> {
            assertThat(voter.replicaId()).isEqualTo(1);
            assertThat(voter.logEndOffset()).isGreaterThanOrEqualTo(after.highWatermark());
            assertThat(voter.lastFetchTimestamp()).isPresent();
            assertThat(voter.lastCaughtUpTimestamp()).isPresent();
        });
        assertThat(after.nodes().get(1).endpoints())
                .extracting(RaftVoterEndpoint::port)
                .containsExactly(broker.addresses().get(0).getPort());
    }

    @Test
    void theEpochOfTheLeaderRisesWithEachStart() throws Exception {
        long before = admin.describeMetadataQuorum().quorumInfo().get().leaderEpoch();
        stop();
        broker = TestBroker.start(directory);
        admin = Clients.admin(broker);

        assertThat(admin.describeMetadataQuorum().quorumInfo().get().leaderEpoch())
                .isGreaterThan(before);
    }

    @Test
    void onlyTheMetadataHasAQuorum() throws Exception {
        DescribeQuorumRequestData request = new DescribeQuorumRequestData()
                .setTopics(List.of(new DescribeQuorumRequestData.TopicData()
                        .setTopicName("there")
                        .setPartitions(List.of(new DescribeQuorumRequestData.PartitionData().setPartitionIndex(1)))));
        try (Wire wire = new Wire(broker)) {
            for (short version = 0; version <= 2; version++) {
                DescribeQuorumResponseData response =
                        (DescribeQuorumResponseData) wire.ask(ApiKeys.DESCRIBE_QUORUM, version, request);

                assertThat(response.topics().get(0).partitions().get(0)).satisfies(partition -> {
                    assertThat(partition.partitionIndex()).isEqualTo(1);
                    assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
                });
            }
        }
    }

    @Test
    void votersCannotChange() {
        Set<RaftVoterEndpoint> endpoints = Set.of(new RaftVoterEndpoint("CONTROLLER", "localhost", 9093));
        Uuid id = Uuid.randomUuid();

        assertRefused(admin.addRaftVoter(2, id, endpoints).all(), UnsupportedVersionException.class);
        assertRefused(admin.removeRaftVoter(1, id).all(), UnsupportedVersionException.class);
        Optional<String> another = Optional.of("another");
        assertRefused(
                admin.addRaftVoter(2, id, endpoints, new AddRaftVoterOptions().setClusterId(another))
                        .all(),
                InconsistentClusterIdException.class);
        assertRefused(
                admin.removeRaftVoter(1, id, new RemoveRaftVoterOptions().setClusterId(another))
                        .all(),
                InconsistentClusterIdException.class);
        assertRefused(admin.removeRaftVoter(1, Uuid.ZERO_UUID).all(), InvalidRequestException.class);
    }

    @Test
    @OneBroker("SeveralNodesIT has what several answer")
    void noBrokerIsUnregistered() {
        assertRefused(admin.unregisterBroker(2).all(), BrokerIdNotRegisteredException.class);
        assertRefused(admin.unregisterBroker(1).all(), InvalidRequestException.class);
    }

    // ---- features ----

    @Test
    void featuresHaveTheLevelsThatAreServed() throws Exception {
        FeatureMetadata features = admin.describeFeatures().featureMetadata().get();

        assertThat(features.finalizedFeatures())
                .isEqualTo(Map.of(
                        "metadata.version", new FinalizedVersionRange((short) 30, (short) 30),
                        "group.version", new FinalizedVersionRange((short) 1, (short) 1),
                        "transaction.version", new FinalizedVersionRange((short) 2, (short) 2),
                        "share.version", new FinalizedVersionRange((short) 1, (short) 1),
                        "streams.version", new FinalizedVersionRange((short) 1, (short) 1)));
        assertThat(features.supportedFeatures())
                .containsEntry("metadata.version", new SupportedVersionRange((short) 7, (short) 30))
                .containsEntry("transaction.version", new SupportedVersionRange((short) 0, (short) 2))
                .containsEntry("share.version", new SupportedVersionRange((short) 0, (short) 1))
                .containsEntry("streams.version", new SupportedVersionRange((short) 0, (short) 1))
                .hasSize(7);
    }

    @Test
    void theEpochOfFeaturesRisesWithEachStart() throws Exception {
        Optional<Long> before = admin.describeFeatures().featureMetadata().get().finalizedFeaturesEpoch();
        stop();
        broker = TestBroker.start(directory);
        admin = Clients.admin(broker);

        assertThat(admin.describeFeatures().featureMetadata().get().finalizedFeaturesEpoch())
                .get()
                .isEqualTo(before.orElseThrow() + 1);
    }

    @Test
    void aClientOfVersionThreeGetsNoFeatureThatItCannotRead() throws Exception {
        try (Wire wire = new Wire(broker)) {
            ApiVersionsResponseData response = (ApiVersionsResponseData) wire.ask(
                    ApiKeys.API_VERSIONS,
                    (short) 3,
                    new ApiVersionsRequestData().setClientSoftwareName("it").setClientSoftwareVersion("1"));

            assertThat(response.supportedFeatures())
                    .hasSize(5)
                    .allSatisfy(feature -> assertThat(feature.minVersion()).isBetween((short) 1, feature.maxVersion()));
            assertThat(response.finalizedFeatures()).hasSize(5);
        }
    }

    @Test
    void aFeatureIsUpdatedToItsOwnLevelOnly() throws Exception {
        update("transaction.version", 2, UpgradeType.UPGRADE).get();
        update("metadata.version", 30, UpgradeType.UPGRADE).get();

        assertRefused(update("transaction.version", 3, UpgradeType.UPGRADE), InvalidUpdateVersionException.class);
        assertRefused(update("transaction.version", 1, UpgradeType.UPGRADE), InvalidUpdateVersionException.class);
        assertRefused(update("group.version", 0, UpgradeType.SAFE_DOWNGRADE), InvalidUpdateVersionException.class);
        assertRefused(
                update("metadata.version", 29, UpgradeType.UNSAFE_DOWNGRADE), InvalidUpdateVersionException.class);
        assertRefused(update("metadata.version", 31, UpgradeType.UPGRADE), InvalidUpdateVersionException.class);
        assertRefused(update("kraft.version", 1, UpgradeType.UPGRADE), InvalidUpdateVersionException.class);
        assertRefused(update("share.version", 0, UpgradeType.SAFE_DOWNGRADE), InvalidUpdateVersionException.class);
        assertRefused(update("no.such.version", 1, UpgradeType.UPGRADE), InvalidUpdateVersionException.class);
        assertThat(admin.describeFeatures().featureMetadata().get().finalizedFeatures())
                .containsEntry("transaction.version", new FinalizedVersionRange((short) 2, (short) 2));
    }

    @Test
    void olderUpdatesOfFeaturesGetAResultForEach() throws Exception {
        UpdateFeaturesRequestData request = new UpdateFeaturesRequestData()
                .setFeatureUpdates(new FeatureUpdateKeyCollection(List.of(
                                new FeatureUpdateKey()
                                        .setFeature("group.version")
                                        .setMaxVersionLevel((short) 1),
                                new FeatureUpdateKey()
                                        .setFeature("eligible.leader.replicas.version")
                                        .setMaxVersionLevel((short) 0))
                        .iterator()));
        try (Wire wire = new Wire(broker)) {
            for (short version = 0; version <= 2; version++) {
                UpdateFeaturesResponseData response =
                        (UpdateFeaturesResponseData) wire.ask(ApiKeys.UPDATE_FEATURES, version, request);

                assertThat(Errors.forCode(response.errorCode())).isEqualTo(Errors.NONE);
                assertThat(response.results()).hasSize(version < 2 ? 2 : 0);
            }
        }
    }

    // ---- the rest ----

    @Test
    void theNameOfTheMetadataIsReserved() throws Exception {
        assertRefused(
                admin.createTopics(List.of(new NewTopic("__cluster_metadata", 1, (short) 1)))
                        .all(),
                InvalidRequestException.class);
        assertRefused(
                admin.describeTopics(List.of("__cluster_metadata")).allTopicNames(),
                UnknownTopicOrPartitionException.class);
    }

    @Test
    void delegationTokensNeedAnAuthenticatedConnection() {
        Class<? extends Throwable> refusal = UnsupportedByAuthenticationException.class;

        assertRefused(admin.createDelegationToken().delegationToken(), refusal);
        assertRefused(admin.renewDelegationToken(new byte[] {1}).expiryTimestamp(), refusal);
        assertRefused(admin.expireDelegationToken(new byte[] {1}).expiryTimestamp(), refusal);
        assertRefused(admin.describeDelegationToken().delegationTokens(), refusal);
    }

    @Test
    void telemetryIsNotAdvertisedAsWithoutAPlugin() throws Exception {
        try (Wire wire = new Wire(broker)) {
            ApiVersionsResponseData response =
                    (ApiVersionsResponseData) wire.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData());

            assertThat(response.apiKeys().find(ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS.id))
                    .isNull();
            assertThat(response.apiKeys().find(ApiKeys.PUSH_TELEMETRY.id)).isNull();
        }
    }

    private KafkaFuture<Void> assign(TopicPartition partition, Integer... replicas) {
        NewPartitionReassignment target = new NewPartitionReassignment(List.of(replicas));
        return admin.alterPartitionReassignments(Map.of(partition, Optional.of(target)))
                .all();
    }

    private KafkaFuture<Void> move(TopicPartition partition, String path) {
        TopicPartitionReplica replica = new TopicPartitionReplica(partition.topic(), partition.partition(), 1);
        return admin.alterReplicaLogDirs(Map.of(replica, path)).all();
    }

    private KafkaFuture<Void> update(String feature, int level, UpgradeType type) {
        return admin.updateFeatures(Map.of(feature, new FeatureUpdate((short) level, type)))
                .all();
    }

    private static void assertRefused(KafkaFuture<?> future, Class<? extends Throwable> why) {
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(why);
    }
}

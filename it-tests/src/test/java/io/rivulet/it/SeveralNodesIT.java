package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.QuorumInfo.ReplicaState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests about nodes, replicas and voters, in a cluster. {@link OneNodeIT} has the answers of a broker by itself. */
@SeveralBrokers
@Tag("several-brokers-only")
final class SeveralNodesIT {
    private static final TopicPartition THERE = new TopicPartition("there", 1);
    private static final int OWNER = 1;
    private static final int UNKNOWN = TestBroker.COUNT + 1;
    private static final List<Integer> ALL =
            IntStream.rangeClosed(OWNER, TestBroker.COUNT).boxed().toList();

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory);
        admin = Clients.admin(broker);
        admin.createTopics(List.of(new NewTopic("there", 2, (short) TestBroker.COUNT)))
                .all()
                .get();
    }

    @AfterEach
    void stop() throws Exception {
        admin.close();
        broker.close();
    }

    @Test
    void allBrokersAreListedAndTheOwnerLeads() throws Exception {
        assertThat(admin.describeCluster().nodes().get()).extracting(Node::id).containsExactlyElementsOf(ALL);
        assertThat(admin.describeCluster().controller().get().port()).isEqualTo(broker.leaderPort());
        TopicDescription there =
                admin.describeTopics(List.of("there")).allTopicNames().get().get("there");
        assertThat(there.partitions()).allSatisfy(partition -> {
            assertThat(partition.leader().id()).isEqualTo(OWNER);
            assertThat(partition.isr()).isEqualTo(partition.replicas());
        });
    }

    @Test
    void theOwnerIsTheOnlyVoterAndTheOthersObserve() throws Exception {
        QuorumInfo quorum = admin.describeMetadataQuorum().quorumInfo().get();

        assertThat(quorum.leaderId()).isEqualTo(OWNER);
        assertThat(quorum.voters()).extracting(ReplicaState::replicaId).containsExactly(OWNER);
        assertThat(quorum.observers())
                .extracting(ReplicaState::replicaId)
                .containsExactlyElementsOf(ALL.subList(1, ALL.size()));
        assertThat(quorum.observers())
                .allSatisfy(observer -> assertThat(observer.logEndOffset()).isEqualTo(quorum.highWatermark()));
        assertThat(quorum.nodes()).containsOnlyKeys(ALL);
    }

    @Test
    void anElectionIsNotNeeded() throws Exception {
        for (ElectionType type : ElectionType.values()) {
            assertThat(admin.electLeaders(type, Set.of(THERE))
                            .partitions()
                            .get()
                            .get(THERE))
                    .get()
                    .isInstanceOf(ElectionNotNeededException.class);
        }
    }

    @Test
    void aPartitionIsReassignedToBrokersThatAreAlive() throws Exception {
        assign(ALL).get();
        assign(List.of(TestBroker.COUNT)).get();

        assertRefused(assign(List.of(UNKNOWN)), InvalidReplicaAssignmentException.class);
        assertRefused(assign(List.of(OWNER, UNKNOWN)), InvalidReplicaAssignmentException.class);
        assertRefused(assign(List.of(OWNER, OWNER)), InvalidReplicaAssignmentException.class);
        assertRefused(
                admin.alterPartitionReassignments(Map.of(THERE, Optional.empty()))
                        .all(),
                NoReassignmentInProgressException.class);
        assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
    }

    private KafkaFuture<Void> assign(List<Integer> replicas) {
        return admin.alterPartitionReassignments(Map.of(THERE, Optional.of(new NewPartitionReassignment(replicas))))
                .all();
    }

    @Test
    void moreReplicasThanBrokersAreRefused() {
        assertRefused(
                admin.createTopics(List.of(new NewTopic("many", 1, (short) UNKNOWN)))
                        .all(),
                InvalidReplicationFactorException.class);
    }

    @Test
    void noBrokerIsUnregistered() {
        ALL.forEach(id -> assertRefused(admin.unregisterBroker(id).all(), InvalidRequestException.class));
        assertRefused(admin.unregisterBroker(UNKNOWN).all(), BrokerIdNotRegisteredException.class);
    }

    private static void assertRefused(KafkaFuture<?> future, Class<? extends Throwable> why) {
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(why);
    }
}

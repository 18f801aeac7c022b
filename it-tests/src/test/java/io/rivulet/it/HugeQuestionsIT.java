package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small requests with large responses, many at the same time, whose responses are not read. */
final class HugeQuestionsIT {
    private static final int TOPICS = 50_000;
    private static final int WIDE_PARTITIONS = 700_000;
    private static final int TOPICS_PER_REQUEST = 5_000;
    private static final int GROUPS = 30_000;
    private static final int GROUPS_BYTES = 24 << 20;
    private static final int CONNECTIONS = 100;
    private static final int ROUNDS = 200;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private int port;
    private Unharmed unharmed;

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.in(directory)
                .java("-Xmx128m", "-XX:+ExitOnOutOfMemoryError")
                .start(
                        "--override=listeners=PLAINTEXT://localhost:0",
                        "--override=rivulet.groups.bytes=" + GROUPS_BYTES);
        port = server.awaitReady();
        unharmed = Unharmed.before(server, port);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void allTopicsRequestedOnManyConnections() throws Exception {
        createTopics();
        flood(CONNECTIONS, 20, ApiKeys.METADATA, 12, new MetadataRequestData().setTopics(null));
        unharmed.assertStill();
    }

    @Test
    void pagesOfTopicsRequestedOnManyConnections() throws Exception {
        createTopics();
        flood(
                CONNECTIONS,
                60,
                ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
                0,
                new DescribeTopicPartitionsRequestData().setResponsePartitionLimit(Integer.MAX_VALUE));
        unharmed.assertStill();
    }

    /** The response is a multiple of the memory for responses. */
    @Test
    void aLargeResponseThatIsNotReadDelaysNoFetch() throws Exception {
        try (Wire reads = new Wire(port);
                Wire readsNothing = new Wire(port)) {
            CreatableTopicCollection topics = new CreatableTopicCollection();
            topics.add(new CreatableTopic()
                    .setName("wide")
                    .setNumPartitions(WIDE_PARTITIONS)
                    .setReplicationFactor((short) 1));
            reads.ask(ApiKeys.CREATE_TOPICS, (short) 7, new CreateTopicsRequestData().setTopics(topics));
            readsNothing.send(ApiKeys.METADATA, (short) 12, new MetadataRequestData().setTopics(null));
            assertThat(readsNothing.isClosedByBroker())
                    .as("its response has begun and is not read")
                    .isFalse();
            unharmed.assertStill();
        }
    }

    @Test
    void repeatedListsOfGroupsDelayNoCommit() throws Exception {
        createGroups();
        ListGroupsRequestData none = new ListGroupsRequestData().setStatesFilter(List.of("Dead"));
        flood(CONNECTIONS, 20, ApiKeys.LIST_GROUPS, 5, none);
        unharmed.assertStill();
        try (Wire wire = new Wire(port)) {
            ListGroupsResponseData all =
                    (ListGroupsResponseData) wire.ask(ApiKeys.LIST_GROUPS, (short) 5, new ListGroupsRequestData());
            assertThat(all.groups()).hasSizeGreaterThanOrEqualTo(GROUPS);
            assertThat(((ListGroupsResponseData) wire.ask(ApiKeys.LIST_GROUPS, (short) 5, none)).groups())
                    .isEmpty();
        }
        flood(CONNECTIONS, 20, ApiKeys.LIST_TRANSACTIONS, 1, new ListTransactionsRequestData());
        unharmed.assertStill();
    }

    /** As in Kafka. Each search may read a megabyte. */
    @Test
    void aPartitionIsSearchedOnceInARequest() throws Exception {
        ListOffsetsRequestData request = new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setTopics(List.of(new ListOffsetsTopic()
                        .setName("second-client")
                        .setPartitions(Collections.nCopies(3_500, new ListOffsetsPartition().setTimestamp(1)))));
        try (Wire wire = new Wire(port)) {
            ListOffsetsResponseData answer =
                    (ListOffsetsResponseData) wire.ask(ApiKeys.LIST_OFFSETS, (short) 7, request);
            assertThat(answer.topics().get(0).partitions())
                    .hasSize(3_500)
                    .allMatch(one -> Errors.forCode(one.errorCode()) == Errors.INVALID_REQUEST);
        }
        flood(CONNECTIONS, 60, ApiKeys.LIST_OFFSETS, 7, request);
        unharmed.assertStill();
    }

    /**
     * Sends the request many times on each connection and reads nothing. Another client must be served during that
     * time.
     */
    private void flood(int connections, int times, ApiKeys key, int version, ApiMessage request) throws Exception {
        ByteBuffer once = Wire.frame(key, (short) version, request, 1);
        ByteBuffer all = ByteBuffer.allocate(times * once.remaining());
        for (int i = 0; i < times; i++) {
            all.put(once.duplicate());
        }
        try (Sockets attackers = new Sockets(port).open(connections)) {
            attackers.writeAsFarAsTaken(all.flip(), ROUNDS);
            SecondClient.assertServesRecords(port);
            SecondClient.assertServes(port);
        }
    }

    private void createTopics() throws IOException {
        try (Wire wire = new Wire(port)) {
            for (int from = 0; from < TOPICS; from += TOPICS_PER_REQUEST) {
                CreatableTopicCollection topics = new CreatableTopicCollection();
                for (int i = from; i < from + TOPICS_PER_REQUEST; i++) {
                    topics.add(new CreatableTopic()
                            .setName("topic-" + i)
                            .setNumPartitions(1)
                            .setReplicationFactor((short) 1));
                }
                wire.ask(ApiKeys.CREATE_TOPICS, (short) 7, new CreateTopicsRequestData().setTopics(topics));
            }
        }
    }

    private void createGroups() throws IOException {
        List<OffsetCommitRequestTopic> offsets = List.of(new OffsetCommitRequestTopic()
                .setName("second-client")
                .setPartitions(List.of(new OffsetCommitRequestPartition().setCommittedOffset(1))));
        try (Wire wire = new Wire(port)) {
            List<Integer> sent = new ArrayList<>();
            for (int i = 1; i <= GROUPS; i++) {
                wire.send(
                        ApiKeys.OFFSET_COMMIT,
                        (short) 8,
                        new OffsetCommitRequestData().setGroupId("group-" + i).setTopics(offsets));
                sent.add(i);
                if (sent.size() == 500) {
                    for (int id : sent) {
                        wire.receive(ApiKeys.OFFSET_COMMIT, (short) 8, id);
                    }
                    sent.clear();
                }
            }
        }
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fills a broker with a small heap until it refuses more, kills it, and starts it again with the same heap. */
@Tag("faults")
final class FilledToTheLimitsIT {
    private static final short CREATE_VERSION = 7;
    private static final short COMMIT_VERSION = 8;
    private static final short INIT_VERSION = 4;
    private static final int TOPICS_PER_REQUEST = 5_000;
    private static final int COMMITS_PER_REQUEST = 1_000;
    private static final int MOST_REQUESTS = 1_000;
    private static final int MAX_QUEUES = 2_000_000;

    @TempDir
    private Path directory;

    @Test
    void topicsGroupsAndTransactionalIdsTogether() throws Exception {
        int topics;
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            try (Wire wire = new Wire(port)) {
                assertThat(create(wire, "commits", 1, COMMITS_PER_REQUEST, 1)).isEqualTo(1);
                topics = fillWithTopics(wire);
                assertThat(topics).isGreaterThan(TOPICS_PER_REQUEST);
                assertThat(fillWithOffsets(wire)).isPositive();
                assertThat(fillWithTransactionalIds(wire)).isPositive();
            }
            unharmed.assertStillServesRecords();
            server.kill();
        }
        try (ServerProcess again = start()) {
            int port = again.awaitReady();
            ThreadCensus.of(again).assertAllLive(again);
            try (Wire wire = new Wire(port)) {
                MetadataResponseData metadata = (MetadataResponseData) wire.ask(
                        ApiKeys.METADATA,
                        (short) 9,
                        new MetadataRequestData().setTopics(List.of(new MetadataRequestTopic().setName("commits0"))));
                assertThat(metadata.topics().iterator().next().partitions()).hasSize(COMMITS_PER_REQUEST);
                assertThat(create(wire, longName(topics), 1, 1, 1)).isZero();
            }
        }
    }

    @Test
    void theMaximumNumberOfQueues() throws Exception {
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port); // it creates one queue
            try (Wire wire = new Wire(port)) {
                assertThat(create(wire, "all", 1, MAX_QUEUES - 1, 1)).isEqualTo(1);
                assertThat(create(wire, "more", 1, 1, 1)).isZero();
            }
            unharmed.assertStill();
            server.kill();
        }
        try (ServerProcess again = start()) {
            Unharmed.before(again, again.awaitReady()).assertStill();
        }
    }

    /**
     * Deletes all but one of each 65,536 queues, again and again: chunks of 3 MiB for each would not fit into the heap.
     */
    @Test
    void scatteredQueuesDoNotFillTheHeap() throws Exception {
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            try (Wire wire = new Wire(port)) {
                for (int i = 0; i < 90; i++) {
                    assertThat(create(wire, "large-" + i + "-", 1, 65_535, 1)).isEqualTo(1);
                    assertThat(create(wire, "left-" + i + "-", 1, 1, 1)).isEqualTo(1);
                    wire.ask(
                            ApiKeys.DELETE_TOPICS,
                            (short) 5,
                            new DeleteTopicsRequestData().setTopicNames(List.of("large-" + i + "-0")));
                }
            }
            unharmed.assertStill();
            server.kill();
        }
        try (ServerProcess again = start()) {
            Unharmed.before(again, again.awaitReady()).assertStill();
        }
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.start(directory, "--override=listeners=PLAINTEXT://localhost:0");
    }

    private static String longName(int number) {
        return "n".repeat(230) + "-" + number;
    }

    private static int fillWithTopics(Wire wire) throws Exception {
        int created = 0;
        for (int i = 0; i < MOST_REQUESTS; i++) {
            int more = create(wire, "n".repeat(230) + "-", TOPICS_PER_REQUEST, 1, i * TOPICS_PER_REQUEST);
            created += more;
            if (more < TOPICS_PER_REQUEST) {
                return created;
            }
        }
        throw new AssertionError("topics have no limit");
    }

    /** @return the number of created topics */
    private static int create(Wire wire, String prefix, int count, int partitions, int from) throws Exception {
        CreatableTopicCollection topics = new CreatableTopicCollection();
        for (int i = 0; i < count; i++) {
            topics.add(new CreatableTopic()
                    .setName(prefix + (count == 1 ? 0 : from + i))
                    .setNumPartitions(partitions)
                    .setReplicationFactor((short) 1));
        }
        CreateTopicsResponseData answer = (CreateTopicsResponseData)
                wire.ask(ApiKeys.CREATE_TOPICS, CREATE_VERSION, new CreateTopicsRequestData().setTopics(topics));
        int created = 0;
        for (CreatableTopicResult result : answer.topics()) {
            Errors error = Errors.forCode(result.errorCode());
            assertThat(error).isIn(Errors.NONE, Errors.POLICY_VIOLATION, Errors.INVALID_PARTITIONS);
            created += error == Errors.NONE ? 1 : 0;
        }
        return created;
    }

    private static int fillWithOffsets(Wire wire) throws Exception {
        String text = "x".repeat(4000);
        for (int i = 0; i < MOST_REQUESTS; i++) {
            OffsetCommitResponseData answer = (OffsetCommitResponseData) wire.ask(
                    ApiKeys.OFFSET_COMMIT,
                    COMMIT_VERSION,
                    new OffsetCommitRequestData()
                            .setGroupId("group-" + i)
                            .setTopics(List.of(new OffsetCommitRequestTopic()
                                    .setName("commits0")
                                    .setPartitions(IntStream.range(0, COMMITS_PER_REQUEST)
                                            .mapToObj(partition -> new OffsetCommitRequestPartition()
                                                    .setPartitionIndex(partition)
                                                    .setCommittedOffset(partition)
                                                    .setCommittedMetadata(text))
                                            .toList()))));
            Errors error =
                    Errors.forCode(answer.topics().get(0).partitions().get(0).errorCode());
            if (error == Errors.POLICY_VIOLATION) {
                return i;
            }
            assertThat(error).isEqualTo(Errors.NONE);
        }
        throw new AssertionError("offsets have no limit");
    }

    private static int fillWithTransactionalIds(Wire wire) throws Exception {
        String longest = "i".repeat(10_900);
        for (int i = 0; i < MOST_REQUESTS; i++) {
            InitProducerIdResponseData answer = (InitProducerIdResponseData) wire.ask(
                    ApiKeys.INIT_PRODUCER_ID,
                    INIT_VERSION,
                    new InitProducerIdRequestData()
                            .setTransactionalId(longest + i)
                            .setTransactionTimeoutMs(60_000)
                            .setProducerId(-1)
                            .setProducerEpoch((short) -1));
            Errors error = Errors.forCode(answer.errorCode());
            if (error == Errors.POLICY_VIOLATION) {
                return i;
            }
            assertThat(error).isEqualTo(Errors.NONE);
        }
        throw new AssertionError("transactional ids have no limit");
    }
}

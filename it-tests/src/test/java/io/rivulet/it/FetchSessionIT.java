package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The partitions in responses to a client with a fetch session. */
@SeveralBrokers
final class FetchSessionIT {
    private static final short FETCH = 12;
    private static final short FETCH_BY_ID = 17;
    private static final short PRODUCE = 9;
    private static final int PARTITIONS = 6;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Wire wire;

    @BeforeEach
    void start() throws Exception {
        open(Map.of());
        createTopic("there");
    }

    private void open(Map<String, String> properties) throws IOException {
        broker = TestBroker.start(directory, properties);
        wire = new Wire(broker);
    }

    @AfterEach
    void stop() throws IOException {
        wire.close();
        broker.close();
    }

    @Test
    void theFirstResponseHasAllPartitionsAndLaterOnesOnlyChanges() throws Exception {
        produce(3, "early");

        FetchResponseData first = fetch(full(0, 0));

        assertThat(first.sessionId()).isNotZero();
        assertThat(partitions(first)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        assertThat(only(first, 3).records().sizeInBytes()).isPositive();

        FetchResponseData second = fetch(next(first, 1, moved(3, 1)));
        assertThat(second.sessionId()).isEqualTo(first.sessionId());
        assertThat(second.responses()).isEmpty();

        produce(5, "late");
        FetchResponseData third = fetch(next(first, 2));
        assertThat(partitions(third)).containsExactly(5);
        assertThat(only(third, 5).highWatermark()).isEqualTo(1);

        // the client's offset has not changed, so the response has the records again
        assertThat(partitions(fetch(next(first, 3)))).containsExactly(5);
        assertThat(fetch(next(first, 4, moved(5, 1))).responses()).isEmpty();
    }

    @Test
    void anAppendWakesAWaitingFetch() throws Exception {
        FetchResponseData first = fetch(full(0, 0));
        wire.send(ApiKeys.FETCH, FETCH, next(first, 1).setMaxWaitMs(60_000).setMinBytes(1));

        produce(2, "value");

        FetchResponseData woken = (FetchResponseData) wire.receive(ApiKeys.FETCH, FETCH, 2);
        assertThat(partitions(woken)).containsExactly(2);
    }

    @Test
    void responsesHaveAddedPartitionsAndNoForgottenOnes() throws Exception {
        FetchResponseData first = fetch(full(0, 0));
        FetchRequestData change = next(first, 1);
        change.setForgottenTopicsData(
                List.of(new ForgottenTopic().setTopic("there").setPartitions(List.of(0, 1))));
        fetch(change);
        produce(0, "unheard");
        produce(2, "heard");

        assertThat(partitions(fetch(next(first, 2)))).containsExactly(2);
        assertThat(partitions(fetch(next(first, 3, moved(0, 0), moved(2, 1))))).containsExactly(0);
    }

    @Test
    void aSessionEndsWhenAnotherOneReplacesIt() throws Exception {
        FetchResponseData first = fetch(full(0, 0));
        FetchResponseData second = fetch(full(first.sessionId(), 0));

        assertThat(second.sessionId()).isNotIn(0, first.sessionId());
        assertThat(error(fetch(next(first, 1)))).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(error(fetch(next(second, 2)))).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
        assertThat(error(fetch(next(second, 1)))).isEqualTo(Errors.NONE);

        assertThat(fetch(full(second.sessionId(), -1)).sessionId()).isZero();
        assertThat(error(fetch(next(second, 2)))).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void aSessionWithNamesCannotContinueWithIds() throws Exception {
        FetchResponseData first = fetch(full(0, 0));

        FetchResponseData answer = (FetchResponseData) wire.ask(ApiKeys.FETCH, FETCH_BY_ID, next(first, 1));

        assertThat(error(answer)).isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
    }

    @Test
    void withoutRoomThereIsNoSession() throws Exception {
        stop();
        open(Map.of("max.incremental.fetch.session.cache.slots", "1"));

        assertThat(fetch(full(0, 0)).sessionId()).isNotZero();
        FetchResponseData second = fetch(full(0, 0));

        assertThat(second.sessionId()).isZero();
        assertThat(partitions(second)).hasSize(PARTITIONS);
    }

    @Test
    void partitionsTakeTurns() throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            produce(partition, "x".repeat(1000));
        }
        FetchResponseData first = fetch(full(0, 0).setMaxBytes(1500));
        Set<Integer> served = new HashSet<>(served(first));
        for (int epoch = 1; epoch < PARTITIONS; epoch++) {
            served.addAll(served(fetch(next(first, epoch).setMaxBytes(1500))));
        }

        assertThat(served).hasSize(PARTITIONS);
    }

    @Test
    void aNewPartitionIsServedAndADeletedTopicIsReported() throws Exception {
        FetchRequestData request = full(0, 0);
        request.topics().get(0).setPartitions(List.of(partition(0, 0), partition(PARTITIONS, 0)));
        FetchResponseData first = fetch(request);
        assertThat(only(first, PARTITIONS).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());

        try (Admin admin = Clients.admin(broker)) {
            admin.createPartitions(Map.of("there", NewPartitions.increaseTo(PARTITIONS + 1)))
                    .all()
                    .get();
        }
        produce(PARTITIONS, "value");
        FetchResponseData second = fetch(next(first, 1));
        assertThat(served(second)).containsExactly(PARTITIONS);

        wire.send(
                ApiKeys.FETCH,
                FETCH,
                next(first, 2, moved(PARTITIONS, 1)).setMaxWaitMs(60_000).setMinBytes(1));
        try (Admin admin = Clients.admin(broker)) {
            admin.deleteTopics(List.of("there")).all().get();
        }
        FetchResponseData third = (FetchResponseData) wire.receive(ApiKeys.FETCH, FETCH, 3);
        assertThat(third.responses().get(0).partitions())
                .extracting(PartitionData::errorCode)
                .containsOnly(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void aTopicThatWasCreatedAgainIsReadFromItsStartByName() throws Exception {
        FetchResponseData first = fetch(full(0, 0));
        try (Admin admin = Clients.admin(broker)) {
            admin.deleteTopics(List.of("there")).all().get();
        }
        createTopic("there");
        produce(1, "new");

        FetchResponseData second = fetch(next(first, 1));
        produce(4, "newer");
        FetchResponseData third = fetch(next(first, 2, moved(1, 1)));

        assertThat(served(second)).containsExactly(1);
        assertThat(served(third)).containsExactly(4);
    }

    @Test
    void aTopicThatComesIntoBeingIsInTheNextResponseWhileItIsEmpty() throws Exception {
        FetchRequestData request = full(0, 0);
        request.topics().get(0).setTopic("later").setPartitions(List.of(partition(2, 0)));
        FetchResponseData first = fetch(request);
        assertThat(only(first, 2).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(only(fetch(next(first, 1)), 2).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());

        createTopic("later");

        FetchResponseData second = fetch(next(first, 2));
        assertThat(partitions(second)).containsExactly(2);
        assertThat(only(second, 2).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(only(second, 2).highWatermark()).isZero();
        assertThat(fetch(next(first, 3)).responses()).isEmpty();
    }

    @Test
    void aPartitionThatComesIntoBeingIsInTheNextResponseByItsTopicId() throws Exception {
        Uuid id = createTopic("growing");
        FetchRequestData request = full(0, 0);
        request.topics().get(0).setTopicId(id).setPartitions(List.of(partition(PARTITIONS, 0)));
        FetchResponseData first = (FetchResponseData) wire.ask(ApiKeys.FETCH, FETCH_BY_ID, request);
        assertThat(only(first, PARTITIONS).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());

        try (Admin admin = Clients.admin(broker)) {
            admin.createPartitions(Map.of("growing", NewPartitions.increaseTo(PARTITIONS + 1)))
                    .all()
                    .get();
        }

        FetchResponseData second = (FetchResponseData) wire.ask(ApiKeys.FETCH, FETCH_BY_ID, next(first, 1));
        assertThat(only(second, PARTITIONS).errorCode()).isEqualTo(Errors.NONE.code());
        FetchResponseData third = (FetchResponseData) wire.ask(ApiKeys.FETCH, FETCH_BY_ID, next(first, 2));
        assertThat(third.responses()).isEmpty();
    }

    private Uuid createTopic(String name) throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            return admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1)))
                    .topicId(name)
                    .get();
        }
    }

    private FetchResponseData fetch(FetchRequestData request) throws IOException {
        return (FetchResponseData) wire.ask(ApiKeys.FETCH, FETCH, request);
    }

    private static FetchRequestData full(int sessionId, int epoch) {
        return request(sessionId, epoch)
                .setTopics(List.of(new FetchTopic()
                        .setTopic("there")
                        .setPartitions(IntStream.range(0, PARTITIONS)
                                .mapToObj(partition -> partition(partition, 0))
                                .toList())));
    }

    private static FetchRequestData next(FetchResponseData first, int epoch, FetchPartition... moved) {
        FetchRequestData request = request(first.sessionId(), epoch);
        if (moved.length > 0) {
            request.setTopics(List.of(new FetchTopic().setTopic("there").setPartitions(List.of(moved))));
        }
        return request;
    }

    private static FetchRequestData request(int sessionId, int epoch) {
        return new FetchRequestData()
                .setMaxBytes(1 << 20)
                .setSessionId(sessionId)
                .setSessionEpoch(epoch);
    }

    private static FetchPartition moved(int partition, long offset) {
        return partition(partition, offset);
    }

    private static FetchPartition partition(int partition, long offset) {
        return new FetchPartition()
                .setPartition(partition)
                .setFetchOffset(offset)
                .setPartitionMaxBytes(1 << 20);
    }

    private static Errors error(FetchResponseData response) {
        return Errors.forCode(response.errorCode());
    }

    private static List<Integer> partitions(FetchResponseData response) {
        List<Integer> indexes = new ArrayList<>();
        response.responses()
                .forEach(topic -> topic.partitions().forEach(partition -> indexes.add(partition.partitionIndex())));
        return indexes;
    }

    /** The partitions with records. */
    private static List<Integer> served(FetchResponseData response) {
        List<Integer> indexes = new ArrayList<>();
        response.responses()
                .forEach(topic -> topic.partitions().stream()
                        .filter(partition -> partition.records().sizeInBytes() > 0)
                        .forEach(partition -> indexes.add(partition.partitionIndex())));
        return indexes;
    }

    private static PartitionData only(FetchResponseData response, int index) {
        return response.responses().stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(partition -> partition.partitionIndex() == index)
                .findFirst()
                .orElseThrow();
    }

    private void produce(int partition, String value) throws IOException {
        MemoryRecords records =
                MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(value.getBytes(StandardCharsets.UTF_8)));
        try (Wire producer = new Wire(broker)) {
            producer.ask(
                    ApiKeys.PRODUCE,
                    PRODUCE,
                    new ProduceRequestData()
                            .setAcks((short) -1)
                            .setTopicData(new ProduceRequestData.TopicProduceDataCollection(
                                    List.of(new ProduceRequestData.TopicProduceData()
                                                    .setName("there")
                                                    .setPartitionData(
                                                            List.of(new ProduceRequestData.PartitionProduceData()
                                                                    .setIndex(partition)
                                                                    .setRecords(records))))
                                            .iterator())));
        }
    }
}

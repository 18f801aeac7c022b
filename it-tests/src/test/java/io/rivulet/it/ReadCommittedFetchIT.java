package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read_committed fetch at an open transaction waits, as at the end of a partition. */
@SeveralBrokers
final class ReadCommittedFetchIT {
    private static final String TOPIC = "ledger";
    private static final int PARTITIONS = 2;
    private static final short FETCH = ApiKeys.FETCH.latestVersion();
    private static final byte READ_COMMITTED = 1;
    private static final short SESSIONS_FROM = 7;
    private static final short TOPIC_IDS_FROM = 13;
    /** No test waits for its end. */
    private static final int FOREVER_MILLIS = Integer.MAX_VALUE;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Wire wire;
    private int asked;
    private Uuid topicId;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory);
        wire = new Wire(broker);
        try (Admin admin = Clients.admin(broker)) {
            topicId = admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .topicId(TOPIC)
                    .get();
        }
    }

    @AfterEach
    void stop() throws IOException {
        wire.close();
        broker.close();
    }

    @Test
    void withoutASessionItWaitsForTheEndOfTheTransactionInEveryVersion() throws Exception {
        try (KafkaProducer<String, String> producer = transactional("any")) {
            for (short version : ApiKeys.FETCH.allVersions()) {
                long open = begin(producer, 0);
                send(version, request(version, FOREVER_MILLIS, partition(0, open)));
                producer.commitTransaction();

                assertThat(served(receive(version))).as("version " + version).containsExactly(0);
            }
        }
    }

    @Test
    void withASessionItWaitsForTheEndOfTheTransactionInEveryVersion() throws Exception {
        try (KafkaProducer<String, String> producer = transactional("any")) {
            for (short version = SESSIONS_FROM; version <= ApiKeys.FETCH.latestVersion(); version++) {
                long open = begin(producer, 0);
                send(
                        version,
                        request(version, FOREVER_MILLIS, partition(0, open)).setSessionEpoch(0));
                producer.commitTransaction();
                FetchResponseData first = receive(version);
                assertThat(served(first)).as("version " + version).containsExactly(0);

                long next = begin(producer, 0);
                send(
                        version,
                        request(version, FOREVER_MILLIS, partition(0, next))
                                .setSessionId(first.sessionId())
                                .setSessionEpoch(1));
                producer.abortTransaction();
                FetchResponseData second = receive(version);
                assertThat(served(second)).as("version " + version).containsExactly(0);
                assertThat(data(second, 0).abortedTransactions()).hasSize(1);
            }
        }
    }

    @Test
    void anEndThatDoesNotMoveTheStableOffsetIsNoAnswer() throws Exception {
        try (KafkaProducer<String, String> first = transactional("first");
                KafkaProducer<String, String> second = transactional("second")) {
            long open = begin(first, 0);
            begin(second, 0);
            send(FETCH, request(FETCH, FOREVER_MILLIS, partition(0, open)));
            second.commitTransaction();
            first.commitTransaction();

            FetchResponseData answer = receive(FETCH);
            assertThat(served(answer)).containsExactly(0);
            assertThat(StreamSupport.stream(records(data(answer, 0)).records().spliterator(), false))
                    .as("two records; one marker or both")
                    .hasSizeBetween(3, 4);
        }
    }

    @Test
    void committedRecordsOfAnotherPartitionAreAnsweredAtOnce() throws Exception {
        try (KafkaProducer<String, String> producer = transactional("any")) {
            long committed = begin(producer, 1);
            producer.commitTransaction();
            long open = begin(producer, 0);
            send(FETCH, request(FETCH, FOREVER_MILLIS, partition(0, open), partition(1, committed)));

            FetchResponseData answer = receive(FETCH);
            assertThat(served(answer)).containsExactly(1);
            assertThat(data(answer, 0).lastStableOffset()).isEqualTo(open);
            assertThat(data(answer, 0).highWatermark()).isEqualTo(open + 1);
            producer.abortTransaction();
        }
    }

    @Test
    void committedRecordsOfAnotherPartitionEndTheWait() throws Exception {
        try (KafkaProducer<String, String> producer = transactional("any");
                KafkaProducer<String, String> plain = Clients.producer(broker, Map.of())) {
            long open = begin(producer, 0);
            send(FETCH, request(FETCH, FOREVER_MILLIS, partition(0, open), partition(1, 0)));
            plain.send(new ProducerRecord<>(TOPIC, 1, null, "value")).get();

            assertThat(served(receive(FETCH))).containsExactly(1);
            producer.abortTransaction();
        }
    }

    @Test
    void atTheEndOfItsWaitItHasOffsetsAndNoRecords() throws Exception {
        try (KafkaProducer<String, String> producer = transactional("any")) {
            long open = begin(producer, 0);
            for (short version : ApiKeys.FETCH.allVersions()) {
                send(version, request(version, 1, partition(0, open)));
                FetchResponseData answer = receive(version);
                assertThat(served(answer)).isEmpty();
                assertThat(data(answer, 0).lastStableOffset()).isEqualTo(open);
                assertThat(data(answer, 0).highWatermark()).isEqualTo(open + 1);
            }
            producer.abortTransaction();
        }
    }

    @Test
    void aWrongLeaderEpochIsAnsweredAtOnce() throws Exception {
        send(
                FETCH,
                request(FETCH, FOREVER_MILLIS, partition(0, 0), partition(1, 0).setCurrentLeaderEpoch(7)));

        FetchResponseData answer = receive(FETCH);
        assertThat(Errors.forCode(data(answer, 0).errorCode())).isEqualTo(Errors.NONE);
        assertThat(Errors.forCode(data(answer, 1).errorCode())).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
    }

    @Test
    void abortedTransactionsAreListedWithTheBatchesOfTheirProducers() throws Exception {
        int writers = 50;
        try (RawTransactions aborting =
                new RawTransactions(broker.addresses().get(0).getPort(), "aborting", writers)) {
            aborting.round(TOPIC, "aborted", false);
        }
        // All transactions overlap the last record, and the first marker.
        for (long offset : new long[] {writers - 1, writers}) {
            send(FETCH, request(FETCH, 0, partition(0, offset)).setMaxBytes(1));
            assertThat(data(receive(FETCH), 0).abortedTransactions()).hasSize(1);
        }
        send(FETCH, request(FETCH, 0, partition(0, 0)));
        assertThat(data(receive(FETCH), 0).abortedTransactions()).hasSize(writers);
    }

    /** Each response has one batch, while the transactions overlap. */
    @Test
    void aConsumerWithSmallResponsesReadsCommittedRecordsOnly() throws Exception {
        List<String> committed = new ArrayList<>();
        try (KafkaProducer<String, String> good = transactional("good");
                KafkaProducer<String, String> bad = transactional("bad")) {
            for (int round = 0; round < 3; round++) {
                good.beginTransaction();
                bad.beginTransaction();
                for (int i = 0; i < 4; i++) {
                    bad.send(new ProducerRecord<>(TOPIC, 0, null, "aborted")).get();
                    committed.add(round + "-" + i);
                    good.send(new ProducerRecord<>(TOPIC, 0, null, round + "-" + i))
                            .get();
                }
                bad.abortTransaction();
                good.commitTransaction();
            }
        }
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        Map<String, Object> settings =
                Map.of("isolation.level", "read_committed", "max.partition.fetch.bytes", 1, "fetch.max.bytes", 1);
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, settings)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            assertThat(Clients.poll(consumer, committed.size()))
                    .extracting(ConsumerRecord::value)
                    .containsExactlyElementsOf(committed);
        }
    }

    private KafkaProducer<String, String> transactional(String id) {
        KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("transactional.id", id));
        producer.initTransactions();
        return producer;
    }

    /** Opens a transaction with one durable record. Returns the record's offset. */
    private static long begin(KafkaProducer<String, String> producer, int partition)
            throws ExecutionException, InterruptedException {
        producer.beginTransaction();
        return producer.send(new ProducerRecord<>(TOPIC, partition, null, "value"))
                .get()
                .offset();
    }

    private FetchRequestData request(short version, int maxWaitMillis, FetchPartition... partitions) {
        FetchTopic topic = new FetchTopic().setPartitions(List.of(partitions));
        return new FetchRequestData()
                .setIsolationLevel(READ_COMMITTED)
                .setMaxWaitMs(maxWaitMillis)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setTopics(List.of(version < TOPIC_IDS_FROM ? topic.setTopic(TOPIC) : topic.setTopicId(topicId)));
    }

    private static FetchPartition partition(int partition, long offset) {
        return new FetchPartition()
                .setPartition(partition)
                .setFetchOffset(offset)
                .setPartitionMaxBytes(1 << 20);
    }

    private void send(short version, FetchRequestData request) throws IOException {
        wire.send(ApiKeys.FETCH, version, request);
        asked++;
    }

    private FetchResponseData receive(short version) throws IOException {
        return (FetchResponseData) wire.receive(ApiKeys.FETCH, version, asked);
    }

    private static PartitionData data(FetchResponseData response, int partition) {
        return response.responses().get(0).partitions().stream()
                .filter(data -> data.partitionIndex() == partition)
                .findFirst()
                .orElseThrow();
    }

    private static MemoryRecords records(PartitionData data) {
        return (MemoryRecords) data.records();
    }

    /** The partitions with records. */
    private static List<Integer> served(FetchResponseData response) {
        List<Integer> partitions = new ArrayList<>();
        response.responses()
                .forEach(topic -> topic.partitions().stream()
                        .filter(data -> data.records().sizeInBytes() > 0)
                        .forEach(data -> partitions.add(data.partitionIndex())));
        return partitions;
    }
}

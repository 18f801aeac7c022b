package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of the newest Java client. */
@SeveralBrokers
final class TransactionsIT {
    private static final TopicPartition LEFT = new TopicPartition("both", 0);
    private static final TopicPartition RIGHT = new TopicPartition("both", 1);
    private static final TopicPartition SOURCE = new TopicPartition("source", 0);

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory);
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("both", 2, (short) 1), new NewTopic("source", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private void restart() throws IOException {
        int port = broker.addresses().get(0).getPort();
        broker.close();
        broker = TestBroker.start(directory, Map.of("listeners", "PLAINTEXT://localhost:" + port));
    }

    private KafkaProducer<String, String> producer(String transactionalId, int timeoutMillis) {
        KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "transactional.id",
                        transactionalId,
                        "transaction.timeout.ms",
                        timeoutMillis),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        return producer;
    }

    private KafkaProducer<String, String> producer(String transactionalId) {
        return producer(transactionalId, 60_000);
    }

    private static void send(KafkaProducer<String, String> producer, TopicPartition to, String value)
            throws ExecutionException, InterruptedException {
        producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, value))
                .get();
    }

    private KafkaConsumer<String, String> consumer(String isolation, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "isolation.level",
                isolation,
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"));
        config.putAll(more);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    /** Reads all records with this isolation level. */
    private List<String> read(String isolation, TopicPartition partition) {
        try (KafkaConsumer<String, String> consumer = consumer(isolation, Map.of())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            List<String> values = new ArrayList<>();
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> {
                for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofMillis(50))) {
                    values.add(one.value());
                }
                return consumer.position(partition) >= end;
            });
            return values;
        }
    }

    private List<String> committed(TopicPartition partition) {
        return read("read_committed", partition);
    }

    @Test
    void committedRecordsAreReadFromAllPartitionsAndAbortedOnesNever() throws Exception {
        try (KafkaProducer<String, String> producer = producer("t")) {
            producer.beginTransaction();
            send(producer, LEFT, "a");
            send(producer, RIGHT, "b");
            producer.commitTransaction();
            producer.beginTransaction();
            send(producer, LEFT, "lost");
            send(producer, RIGHT, "lost");
            producer.abortTransaction();
            producer.beginTransaction();
            send(producer, LEFT, "c");
            producer.commitTransaction();

            assertThat(committed(LEFT)).containsExactly("a", "c");
            assertThat(committed(RIGHT)).containsExactly("b");
            assertThat(read("read_uncommitted", LEFT)).containsExactly("a", "lost", "c");
        }
    }

    @Test
    void anOpenTransactionHoldsReadersUntilItEnds() throws Exception {
        try (KafkaProducer<String, String> open = producer("open");
                KafkaProducer<String, String> other = producer("other");
                Admin admin = Clients.admin(broker);
                KafkaConsumer<String, String> waiting =
                        consumer("read_committed", Map.of("fetch.max.wait.ms", 20_000, "fetch.min.bytes", 200))) {
            open.beginTransaction();
            send(open, LEFT, "first");
            other.beginTransaction();
            send(other, LEFT, "second");
            other.commitTransaction();

            assertThat(committed(LEFT)).isEmpty();
            assertThat(admin.listOffsets(
                                    Map.of(LEFT, OffsetSpec.latest()),
                                    new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                            .partitionResult(LEFT)
                            .get()
                            .offset())
                    .isZero();
            waiting.assign(List.of(LEFT));
            assertThat(waiting.poll(Duration.ofMillis(300))).isEmpty();
            open.commitTransaction();

            List<String> values = new ArrayList<>();
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> {
                waiting.poll(Duration.ofMillis(100)).forEach(one -> values.add(one.value()));
                return values.size() == 2;
            });
            assertThat(values).containsExactly("first", "second");
            waiting.close(CloseOptions.timeout(Duration.ZERO)); // without waiting for the fetch
        }
    }

    @Test
    void offsetsAreCommittedWithTheRecordsOfTheTransaction() throws Exception {
        try (KafkaProducer<String, String> producer = producer("transform");
                KafkaConsumer<String, String> consumer = consumer("read_committed", Map.of("group.id", "g"))) {
            producer.beginTransaction();
            send(producer, SOURCE, "x");
            producer.commitTransaction();
            consumer.subscribe(List.of("source"));
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> !consumer.poll(Duration.ofMillis(100)).isEmpty());

            producer.beginTransaction();
            send(producer, LEFT, "of x");
            producer.sendOffsetsToTransaction(Map.of(SOURCE, new OffsetAndMetadata(1)), consumer.groupMetadata());
            producer.abortTransaction();
            assertThat(offset("g")).isNull();

            producer.beginTransaction();
            send(producer, LEFT, "of x again");
            producer.sendOffsetsToTransaction(
                    Map.of(SOURCE, new OffsetAndMetadata(1, "note")), consumer.groupMetadata());
            assertThat(offset("g")).isNull();
            producer.commitTransaction();

            assertThat(offset("g")).isEqualTo(new OffsetAndMetadata(1, "note"));
            assertThat(committed(LEFT)).containsExactly("of x again");
        }
    }

    private OffsetAndMetadata offset(String group) throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(SOURCE);
        }
    }

    @Test
    void aSecondProducerWithTheIdAbortsTheTransactionAndFencesTheFirst() throws Exception {
        try (KafkaProducer<String, String> zombie = producer("mine")) {
            zombie.beginTransaction();
            send(zombie, LEFT, "of the zombie");
            try (KafkaProducer<String, String> next = producer("mine")) {
                next.beginTransaction();
                send(next, LEFT, "of the next");
                assertThatThrownBy(() -> {
                            send(zombie, RIGHT, "late");
                            zombie.commitTransaction();
                        })
                        .satisfiesAnyOf(
                                thrown ->
                                        assertThat(thrown).hasRootCauseInstanceOf(InvalidProducerEpochException.class),
                                thrown -> assertThat(thrown).isInstanceOf(ProducerFencedException.class),
                                thrown -> assertThat(thrown)
                                        .isInstanceOf(KafkaException.class)
                                        .hasRootCauseInstanceOf(ProducerFencedException.class));
                next.commitTransaction();
            }
        }
        assertThat(committed(LEFT)).containsExactly("of the next");
        assertThat(read("read_uncommitted", RIGHT)).isEmpty();
    }

    @Test
    void aTimeoutAbortsTheTransactionAndFencesItsProducer() throws Exception {
        try (KafkaProducer<String, String> slow = producer("slow", 500);
                Admin admin = Clients.admin(broker)) {
            slow.beginTransaction();
            send(slow, LEFT, "too late");
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> admin.describeTransactions(List.of("slow"))
                                    .description("slow")
                                    .get()
                                    .state()
                            == TransactionState.COMPLETE_ABORT);

            assertThat(committed(LEFT)).isEmpty();
            assertThatThrownBy(slow::commitTransaction).isInstanceOf(KafkaException.class);
        }
    }

    @Test
    void anOpenTransactionIsOpenAfterARestart() throws Exception {
        try (KafkaProducer<String, String> left = producer("left")) {
            left.beginTransaction();
            send(left, LEFT, "aborted");
            left.abortTransaction();
            left.beginTransaction();
            send(left, LEFT, "open");
            restart();
            try (Admin admin = Clients.admin(broker)) {
                assertThat(admin.describeTransactions(List.of("left"))
                                .description("left")
                                .get())
                        .satisfies(one -> {
                            assertThat(one.state()).isEqualTo(TransactionState.ONGOING);
                            assertThat(one.topicPartitions()).containsExactly(LEFT);
                        });
            }
            assertThat(committed(LEFT)).isEmpty();
            try (KafkaProducer<String, String> next = producer("left")) {
                next.beginTransaction();
                send(next, LEFT, "next");
                next.commitTransaction();
            }
            restart();
            assertThat(committed(LEFT)).containsExactly("next");
        }
    }
}

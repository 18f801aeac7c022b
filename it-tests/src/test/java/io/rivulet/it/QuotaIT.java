package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterClientQuotasOptions;
import org.apache.kafka.clients.admin.CreatePartitionsOptions;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that limit how much clients may use. */
@SeveralBrokers
final class QuotaIT {
    private static final String TOPIC = "quotas";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Map<String, String> SMALL_WINDOWS =
            Map.of("quota.window.num", "2", "controller.quota.window.num", "2");

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        open();
        admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }

    private void open() throws IOException {
        broker = TestBroker.start(directory, SMALL_WINDOWS);
        admin = Clients.admin(broker);
    }

    @AfterEach
    void close() throws IOException {
        admin.close();
        broker.close();
    }

    @Test
    void rulesAreDescribedAndSurviveARestart() throws Exception {
        set(entity("user", "alice"), "producer_byte_rate", 1000.0);
        set(entity("user", "alice", "client-id", null), "request_percentage", 12.5);
        set(entity("client-id", null), "consumer_byte_rate", 2000.0);
        set(entity("ip", "10.0.0.1"), "connection_creation_rate", 5.0);
        Map<ClientQuotaEntity, Map<String, Double>> all = describe(ClientQuotaFilter.all());
        assertThat(all).hasSize(4).containsEntry(entity("user", "alice"), Map.of("producer_byte_rate", 1000.0));

        close();
        open();

        assertThat(describe(ClientQuotaFilter.all())).isEqualTo(all);
        assertThat(describe(ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntity("user", "alice")))))
                .hasSize(2);
        assertThat(describe(
                        ClientQuotaFilter.containsOnly(List.of(ClientQuotaFilterComponent.ofEntity("user", "alice")))))
                .containsOnlyKeys(entity("user", "alice"));
        assertThat(describe(ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("client-id")))))
                .hasSize(2);
        assertThat(describe(
                        ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofDefaultEntity("client-id")))))
                .hasSize(2);
        set(entity("user", "alice"), "producer_byte_rate", null);
        assertThat(describe(ClientQuotaFilter.all())).hasSize(3);
    }

    @Test
    void rulesThatAreOnlyValidatedAreNotSet() throws Exception {
        admin.alterClientQuotas(
                        List.of(alteration(entity("user", "alice"), "producer_byte_rate", 1.0)),
                        new AlterClientQuotasOptions().validateOnly(true))
                .all()
                .get();
        assertThat(describe(ClientQuotaFilter.all())).isEmpty();
        assertThatThrownBy(() -> set(entity("user", "alice"), "producer_byte_rate", 0.0))
                .hasCauseInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("greater than 0");
        assertThatThrownBy(() -> set(entity("user", "alice"), "no_such_rate", 1.0))
                .hasCauseInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aProducerOverItsRateIsToldToWait() throws Exception {
        set(entity("client-id", "bulk"), "producer_byte_rate", 1_000_000.0);

        try (KafkaProducer<String, String> producer =
                Clients.producer(broker, Map.of("client.id", "bulk", "batch.size", 100_000, "linger.ms", 5))) {
            Clients.sendAll(producer, Collections.nCopies(25, new ProducerRecord<>(TOPIC, "x".repeat(100_000))));

            assertThat(max(producer.metrics(), "produce-throttle-time-max")).isPositive();
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("client.id", "free"))) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>(TOPIC, "x".repeat(1000))));

            assertThat(max(producer.metrics(), "produce-throttle-time-max")).isZero();
        }
    }

    @Test
    void aConsumerOverItsRateGetsEmptyAnswersAndLosesNothing() throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, Collections.nCopies(25, new ProducerRecord<>(TOPIC, "x".repeat(100_000))));
        }
        set(entity("user", null), "consumer_byte_rate", 1_000_000.0);

        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker, Map.of("client.id", "bulk"))) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            int read = 0;
            while (read < 25) {
                read += consumer.poll(Clients.PATIENCE).count();
            }
            assertThat(read).isEqualTo(25);
            assertThat(max(consumer.metrics(), "fetch-throttle-time-max")).isPositive();
        }
    }

    @Test
    void aClientThatSendsOnWhileItMustWaitIsNotRead() throws Exception {
        set(entity("client-id", "impatient"), "request_percentage", 1e-6);
        try (Wire wire = new Wire(broker)) {
            MetadataResponseData answer =
                    (MetadataResponseData) wire.askAs("impatient", ApiKeys.METADATA, 9, new MetadataRequestData());
            MetadataResponseData second =
                    (MetadataResponseData) wire.askAs("impatient", ApiKeys.METADATA, 9, new MetadataRequestData());

            assertThat(Math.max(answer.throttleTimeMs(), second.throttleTimeMs()))
                    .isPositive()
                    .isLessThanOrEqualTo(1000);
        }
    }

    @Test
    void topicsAreCreatedAndDeletedAtTheRateOfMutations() throws Exception {
        set(entity("user", "ANONYMOUS"), "controller_mutation_rate", 1.0);
        admin.createTopics(List.of(new NewTopic("first", 100, (short) 1))).all().get();

        requireRefused(other -> other.createTopics(
                        List.of(new NewTopic("second", 1, (short) 1)),
                        new CreateTopicsOptions().retryOnQuotaViolation(false))
                .all());
        requireRefused(other -> other.createPartitions(
                        Map.of("first", NewPartitions.increaseTo(101)),
                        new CreatePartitionsOptions().retryOnQuotaViolation(false))
                .all());
        requireRefused(
                other -> other.deleteTopics(List.of("first"), new DeleteTopicsOptions().retryOnQuotaViolation(false))
                        .all());

        set(entity("user", "ANONYMOUS"), "controller_mutation_rate", 1000.0);
        admin.createTopics(List.of(new NewTopic("second", 1, (short) 1))).all().get(); // may have to try again
        assertThat(admin.listTopics().names().get()).contains("first", "second");
    }

    /** With a client of its own, because a client that was refused waits. */
    private void requireRefused(Function<Admin, KafkaFuture<Void>> mutation) {
        try (Admin other = Clients.admin(broker)) {
            assertThatThrownBy(() -> mutation.apply(other).get())
                    .hasCauseInstanceOf(ThrottlingQuotaExceededException.class);
        }
    }

    @Test
    void clientsThatDoNotKnowTheErrorWaitAfterwards() throws Exception {
        set(entity("user", null), "controller_mutation_rate", 1.0);
        CreateTopicsRequestData.CreatableTopicCollection wanted =
                new CreateTopicsRequestData.CreatableTopicCollection();
        wanted.add(new CreateTopicsRequestData.CreatableTopic()
                .setName("old")
                .setNumPartitions(4)
                .setReplicationFactor((short) 1));
        try (Wire wire = new Wire(broker)) {
            CreateTopicsResponseData answer = (CreateTopicsResponseData)
                    wire.askAs("old", ApiKeys.CREATE_TOPICS, 5, new CreateTopicsRequestData().setTopics(wanted));

            assertThat(answer.topics().find("old").errorCode()).isZero();
            assertThat(answer.throttleTimeMs()).isBetween(1500, 2000);
        }
    }

    @Test
    void aBrokerClosesWhileClientsWait() throws Exception {
        set(entity("client-id", null), "producer_byte_rate", 1.0);
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("client.id", "bulk"))) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>(TOPIC, "x".repeat(1000))));
            assertThat(max(producer.metrics(), "produce-throttle-time-max")).isGreaterThan(100_000);

            close();
            open();
            set(entity("client-id", null), "producer_byte_rate", null);
        }
    }

    @Test
    void aClientIsFreeSoonAfterItsRuleIsRemoved() throws Exception {
        set(entity("client-id", "bulk"), "producer_byte_rate", 1.0);
        try (Wire wire = new Wire(broker)) {
            wire.askAs("bulk", ApiKeys.PRODUCE, 7, oneRecord(1000));
            set(entity("client-id", "bulk"), "producer_byte_rate", null);
            // Without the change, the broker would not read the connection for a quarter of an hour.
            wire.askAs("bulk", ApiKeys.METADATA, 9, new MetadataRequestData());
        }
    }

    @Test
    void producersAreRefusedWhileTheDiskIsNearlyFull() throws Exception {
        close();
        broker = TestBroker.start(directory, Map.of("rivulet.disk.headroom", "99.9999%"));
        admin = Clients.admin(broker);
        try (Wire wire = new Wire(broker)) {
            ProduceResponseData answer;
            do { // the first answers come before the disk was looked at
                answer = (ProduceResponseData) wire.askAs("bulk", ApiKeys.PRODUCE, 8, oneRecord(1000));
            } while (answer.throttleTimeMs() == 0);

            assertThat(answer.throttleTimeMs()).isEqualTo(1000);
            var partition =
                    answer.responses().iterator().next().partitionResponses().get(0);
            assertThat(partition.errorCode()).isEqualTo(Errors.KAFKA_STORAGE_ERROR.code());
            assertThat(partition.errorMessage()).contains("rivulet.disk.headroom");
        }
        admin.deleteTopics(List.of(TOPIC)).all().get();
    }

    /** Of the owner itself: a follower keeps a client that has said nothing yet, whoever closes its connection. */
    @Test
    void newConnectionsOverTheRateOfTheirAddressAreClosed() throws Exception {
        set(entity("ip", "127.0.0.1"), "connection_creation_rate", 1.0);
        try (Wire first = new Wire(broker.leaderPort());
                Wire second = new Wire(broker.leaderPort())) {
            first.ask(ApiKeys.METADATA, (short) 9, new MetadataRequestData());
            assertThat(second.isClosedByBroker()).isTrue();
        }
        set(entity("ip", "127.0.0.1"), "connection_creation_rate", null);
        try (Wire third = new Wire(broker.leaderPort())) {
            third.ask(ApiKeys.METADATA, (short) 9, new MetadataRequestData());
        }
    }

    private static ProduceRequestData oneRecord(int bytes) {
        MemoryRecords records = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(new byte[bytes]));
        TopicProduceData topic = new TopicProduceData()
                .setName(TOPIC)
                .setPartitionData(List.of(new PartitionProduceData().setRecords(records)));
        return new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(30_000)
                .setTopicData(new TopicProduceDataCollection(List.of(topic).iterator()));
    }

    private Map<ClientQuotaEntity, Map<String, Double>> describe(ClientQuotaFilter filter) throws Exception {
        return admin.describeClientQuotas(filter).entities().get();
    }

    private void set(ClientQuotaEntity entity, String key, Double limit) throws Exception {
        admin.alterClientQuotas(List.of(alteration(entity, key, limit))).all().get();
    }

    private static ClientQuotaAlteration alteration(ClientQuotaEntity entity, String key, Double limit) {
        return new ClientQuotaAlteration(entity, List.of(new ClientQuotaAlteration.Op(key, limit)));
    }

    private static ClientQuotaEntity entity(String... typesAndNames) {
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < typesAndNames.length; i += 2) {
            names.put(typesAndNames[i], typesAndNames[i + 1]);
        }
        return new ClientQuotaEntity(names);
    }

    private static double max(Map<MetricName, ? extends Metric> metrics, String name) {
        return metrics.entrySet().stream()
                .filter(metric -> metric.getKey().name().equals(name))
                .mapToDouble(metric -> (Double) metric.getValue().metricValue())
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(0);
    }
}

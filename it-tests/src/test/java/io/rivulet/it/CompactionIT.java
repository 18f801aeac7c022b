package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compacted topics as Connect, Streams and schema registries use them: written with keys, and read from start to end.
 */
@SeveralBrokers
final class CompactionIT {
    private static final int KEYS = 10;
    private static final int RECORDS = 200;
    private static final int KILLS = Integer.getInteger("rivulet.compaction.kills", 3);
    private static final int RECORDS_PER_LIFE = 15_000;
    private static final int KEYS_OF_LOAD = 50;

    /** Compacts as soon as the tail is swept, after a few seconds. */
    private static final Map<String, String> EAGER =
            Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01", "segment.ms", "1");

    @TempDir
    private Path directory;

    @Test
    void theLastRecordOfEachKeyStaysAtItsOffsetWithEachCodec() throws Exception {
        try (TestBroker broker = TestBroker.start(directory);
                Admin admin = Clients.admin(broker)) {
            List<String> codecs = List.of("none", "gzip", "snappy", "lz4", "zstd");
            for (String codec : codecs) {
                create(admin, codec, EAGER);
                produce(broker, codec, Map.of("compression.type", codec, "linger.ms", 20));
            }
            create(admin, "one-by-one", EAGER);
            produce(broker, "one-by-one", Map.of("batch.size", 0));
            create(admin, "whole", Map.of("cleanup.policy", "delete"));
            produce(broker, "whole", Map.of());

            for (String codec : codecs) {
                awaitCompacted(broker, codec);
            }
            awaitCompacted(broker, "one-by-one");
            assertThat(readToEnd(broker, "whole")).hasSize(RECORDS);

            alter(admin, "whole", Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01"));
            awaitCompacted(broker, "whole");
        }
        try (TestBroker broker = TestBroker.start(directory)) {
            awaitCompacted(broker, "zstd");
        }
    }

    @Test
    void recordsWithoutAKeyAreRefused() throws Exception {
        try (TestBroker broker = TestBroker.start(directory);
                Admin admin = Clients.admin(broker)) {
            create(admin, "keyed", EAGER);
            for (String codec : List.of("none", "lz4")) {
                try (KafkaProducer<String, String> producer =
                        Clients.producer(broker, Map.of("compression.type", codec))) {
                    assertThatThrownBy(() -> producer.send(new ProducerRecord<>("keyed", "no key"))
                                    .get())
                            .isInstanceOf(ExecutionException.class)
                            .hasCauseInstanceOf(InvalidRecordException.class);
                }
            }
        }
    }

    @Test
    void aTopicMayBeCompactedAndDeleteOldRecords() throws Exception {
        try (TestBroker broker = TestBroker.start(directory);
                Admin admin = Clients.admin(broker)) {
            Map<String, String> configs = new HashMap<>(EAGER);
            configs.put("cleanup.policy", "compact,delete");
            configs.put("retention.ms", "3600000");
            create(admin, "both", configs);
            produce(broker, "both", Map.of());
            awaitCompacted(broker, "both");

            alter(admin, "both", Map.of("retention.ms", "2000"));

            TopicPartition place = new TopicPartition("both", 0);
            await().atMost(Clients.PATIENCE)
                    .untilAsserted(() -> assertThat(admin.listOffsets(Map.of(place, OffsetSpec.earliest()))
                                    .partitionResult(place)
                                    .get()
                                    .offset())
                            .isEqualTo(RECORDS));
        }
    }

    @Test
    void tombstonesExpireAndAbortedRecordsReplaceNothing() throws Exception {
        try (TestBroker broker = TestBroker.start(directory);
                Admin admin = Clients.admin(broker)) {
            Map<String, String> configs = new HashMap<>(EAGER);
            configs.put("delete.retention.ms", "1000");
            create(admin, "table", configs);
            try (KafkaProducer<String, String> producer =
                    Clients.producer(broker, Map.of("transactional.id", "writer"))) {
                producer.initTransactions();
                transaction(producer, true, Map.of("kept", "1", "gone", "1"));
                transaction(producer, false, Map.of("kept", "2", "gone", "2"));
                transaction(producer, true, tombstone("gone"));
                await().atMost(Clients.PATIENCE)
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(() -> {
                            // each makes the topic dirty again
                            transaction(producer, true, Map.of("other", "3"));
                            assertThat(readToEnd(broker, "table"))
                                    .filteredOn(record -> !record.key().equals("other"))
                                    .extracting(ConsumerRecord::key, ConsumerRecord::value)
                                    .containsExactly(tuple("kept", "1"));
                        });
            }
        }
    }

    private static Map<String, String> tombstone(String key) {
        Map<String, String> records = new HashMap<>();
        records.put(key, null);
        return records;
    }

    private static void transaction(
            KafkaProducer<String, String> producer, boolean commit, Map<String, String> records) {
        producer.beginTransaction();
        new TreeMap<>(records).forEach((key, value) -> producer.send(new ProducerRecord<>("table", key, value)));
        if (commit) {
            producer.commitTransaction();
        } else {
            producer.flush();
            producer.abortTransaction();
        }
    }

    @Test
    void killsInTheMiddleLoseNoKeysLastRecord() throws Exception {
        BrokerProcesses brokers = start();
        String servers = brokers.servers();
        Map<String, ConsumerRecord<String, String>> last = new HashMap<>();
        Map<Integer, Long> acknowledged = new ConcurrentHashMap<>();
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        int sent = 0;
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "delivery.timeout.ms",
                        60_000,
                        "request.timeout.ms",
                        5_000,
                        "linger.ms",
                        1),
                new StringSerializer(),
                new StringSerializer())) {
            for (int life = 0; life <= KILLS; life++) {
                for (int i = 0; i < RECORDS_PER_LIFE; i++) {
                    int number = sent++;
                    producer.send(
                            new ProducerRecord<>("table", 0, key(number), number + "x".repeat(2000)), (metadata, e) -> {
                                if (e == null) {
                                    acknowledged.put(number, metadata.offset());
                                } else {
                                    failure.set(e);
                                }
                            });
                }
                if (life < KILLS) {
                    brokers.kill();
                    brokers.startAgain();
                }
            }
            producer.flush();
            assertThat(failure.get()).isNull();
            assertThat(acknowledged).hasSize(sent);

            int all = sent;
            await().atMost(Clients.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(readToEnd(servers, "table").size()).isLessThan(all / 2));
            readToEnd(servers, "table").forEach(record -> last.put(record.key(), record));
            for (int number = sent - KEYS_OF_LOAD; number < sent; number++) {
                ConsumerRecord<String, String> record = last.get(key(number));
                assertThat(record.value()).startsWith(number + "x");
                assertThat(record.offset()).isEqualTo(acknowledged.get(number));
            }
        } finally {
            brokers.close();
        }
    }

    private static String key(int number) {
        return "key-" + number % KEYS_OF_LOAD;
    }

    private BrokerProcesses start() throws Exception {
        return BrokerProcesses.start(
                directory,
                "--override=log.cleanup.policy=compact",
                "--override=log.cleaner.min.cleanable.ratio=0.01",
                "--override=log.roll.ms=1",
                // so small that each run sweeps and compacts several times
                "--override=rivulet.tail.bytes=" + (16 << 20));
    }

    private static void create(Admin admin, String name, Map<String, String> configs) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1).configs(configs)))
                .all()
                .get();
    }

    private static void alter(Admin admin, String topic, Map<String, String> configs) throws Exception {
        Collection<AlterConfigOp> operations = configs.entrySet().stream()
                .map(config -> new AlterConfigOp(new ConfigEntry(config.getKey(), config.getValue()), OpType.SET))
                .toList();
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), operations))
                .all()
                .get();
    }

    /** Produces records that are ten minutes old, so that they expire soon. */
    private static void produce(TestBroker broker, String topic, Map<String, Object> settings) throws Exception {
        long timestamp = System.currentTimeMillis() - 600_000;
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            records.add(new ProducerRecord<>(topic, 0, timestamp + i, "key-" + i * i % KEYS, "value-" + i));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, settings)) {
            Clients.sendAll(producer, records);
        }
    }

    /** Waits until the topic has exactly the last record of each key, at its original offset. */
    private static void awaitCompacted(TestBroker broker, String topic) {
        Map<String, Integer> wanted = new TreeMap<>();
        for (int i = 0; i < RECORDS; i++) {
            wanted.put("key-" + i * i % KEYS, i);
        }
        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(readToEnd(broker, topic).size()).isEqualTo(wanted.size()));
        for (ConsumerRecord<String, String> record : readToEnd(broker, topic)) {
            int number = wanted.get(record.key());
            assertThat(record.value()).isEqualTo("value-" + number);
            assertThat(record.offset()).isEqualTo(number);
        }
    }

    private static List<ConsumerRecord<String, String>> readToEnd(TestBroker broker, String topic) {
        return readToEnd(broker.bootstrapServers(), topic);
    }

    /** Reads to the end offset, as Connect does. */
    private static List<ConsumerRecord<String, String>> readToEnd(String servers, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            await().atMost(Clients.PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return consumer.position(partition) >= end;
            });
            return records;
        }
    }
}

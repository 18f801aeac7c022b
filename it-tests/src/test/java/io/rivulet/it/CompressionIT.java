package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The config compression.type: the topic's codec replaces the producer's. */
@SeveralBrokers
final class CompressionIT {
    private static final short PRODUCE_VERSION = 9;
    private static final int CRC_AT = 17;
    private static final int COUNT = 500;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory);
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"uncompressed", "gzip", "snappy", "lz4", "zstd"})
    void batchesOfAnyCodecGetTheTopics(String wanted) throws Exception {
        create("chosen", Map.of("compression.type", wanted));
        create("as-sent", Map.of("message.timestamp.type", "LogAppendTime"));

        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            // both topics are in the same requests
            try (KafkaProducer<String, String> producer =
                    Clients.producer(broker, Map.of("compression.type", codec, "linger.ms", 20))) {
                List<ProducerRecord<String, String>> records = new ArrayList<>();
                for (int i = 0; i < COUNT; i++) {
                    records.add(new ProducerRecord<>("chosen", 0, 1_700_000_000_000L + i, codec + i, "value " + i));
                    records.add(new ProducerRecord<>("as-sent", 0, codec + i, "value " + i));
                }
                Clients.sendAll(producer, records);
            }
        }

        List<ConsumerRecord<String, String>> read =
                Clients.read(broker, new TopicPartition("chosen", 0), 5 * COUNT, Map.of());
        for (int i = 0; i < 5 * COUNT; i++) {
            String codec = List.of("none", "gzip", "snappy", "lz4", "zstd").get(i / COUNT);
            assertThat(read.get(i).offset()).isEqualTo(i);
            assertThat(read.get(i).key()).isEqualTo(codec + i % COUNT);
            assertThat(read.get(i).value()).isEqualTo("value " + i % COUNT);
            assertThat(read.get(i).timestamp()).isEqualTo(1_700_000_000_000L + i % COUNT);
        }
        assertThat(codecs("chosen")).containsOnly(wanted.equals("uncompressed") ? "none" : wanted);
        assertThat(codecs("as-sent")).containsOnly("none", "gzip", "snappy", "lz4", "zstd");
        assertThat(Clients.read(broker, new TopicPartition("as-sent", 0), 5 * COUNT, Map.of()))
                .hasSize(5 * COUNT);
    }

    @Test
    void aChangeOfTheConfigActsAtOnce() throws Exception {
        create("later", Map.of());
        send("later", "one", "none");
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "later");
        for (Map.Entry<String, String> config :
                List.of(Map.entry("compression.zstd.level", "19"), Map.entry("compression.type", "zstd"))) {
            ConfigEntry entry = new ConfigEntry(config.getKey(), config.getValue());
            admin.incrementalAlterConfigs(Map.of(topic, List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
        send("later", "two", "none");

        assertThat(codecs("later")).containsExactly("none", "zstd");
    }

    @Test
    void aBatchThatGrowsOverTheLimitIsRefusedAndTheNextIsAccepted() throws Exception {
        create("small", Map.of("compression.type", "uncompressed", "max.message.bytes", "2000"));

        assertThatThrownBy(() -> send("small", "0".repeat(10_000), "gzip"))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
        send("small", "0".repeat(1000), "gzip");

        assertThat(codecs("small")).containsExactly("none");
    }

    @Test
    void anInvalidBatchIsRefusedForItsPartitionOnly() throws Exception {
        create("chosen", Map.of("compression.type", "lz4"));
        ByteBuffer altered = batch();
        altered.put(CRC_AT, (byte) ~altered.get(CRC_AT));
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTopicData(new TopicProduceDataCollection(
                        List.of(topic("chosen", altered), topic("nowhere", batch()), topic("chosen", batch()))
                                .iterator()));

        try (Wire wire = new Wire(broker)) {
            ProduceResponseData answer = (ProduceResponseData) wire.ask(ApiKeys.PRODUCE, PRODUCE_VERSION, request);

            assertThat(answer.responses())
                    .extracting(topic ->
                            Errors.forCode(topic.partitionResponses().get(0).errorCode()))
                    .containsExactly(Errors.CORRUPT_MESSAGE, Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.NONE);
        }
        assertThat(codecs("chosen")).containsExactly("lz4");
    }

    private void create(String topic, Map<String, String> configs) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(configs)))
                .all()
                .get();
    }

    private void send(String topic, String value, String codec) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("compression.type", codec))) {
            producer.send(new ProducerRecord<>(topic, 0, null, value)).get();
        }
    }

    private static TopicProduceData topic(String name, ByteBuffer batch) {
        return new TopicProduceData()
                .setName(name)
                .setPartitionData(List.of(
                        new PartitionProduceData().setIndex(0).setRecords(MemoryRecords.readableRecords(batch))));
    }

    private static ByteBuffer batch() {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)))
                .buffer();
    }

    /** The codecs of the stored batches of partition 0. */
    private List<String> codecs(String topic) throws IOException {
        try (Wire wire = new Wire(broker)) {
            return wire.batches(topic).stream()
                    .map(batch -> batch.compressionType().name)
                    .toList();
        }
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each client reads what each other client has written with each codec: order, offsets, keys, values and headers. */
@Tag("clients")
@SeveralBrokers
final class ClientMatrixIT {
    private static final int COUNT = 500;
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final short FETCH_BY_NAME = 12;
    /** These clients consume as members of a group only. */
    private static final Set<ClientProgram> BY_GROUP_ONLY = EnumSet.of(ClientProgram.KAFKAJS);

    @TempDir
    private static Path directory;

    private static TestBroker broker;
    private static Admin admin;

    @BeforeAll
    static void start() throws IOException {
        broker = TestBroker.start(directory.resolve("data"), Map.of("group.initial.rebalance.delay.ms", "0"));
        admin = Clients.admin(broker);
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        broker.close();
    }

    static Stream<Arguments> clientsAndCodecs() {
        return Arrays.stream(ClientProgram.values())
                .flatMap(client -> CODECS.stream().map(codec -> Arguments.of(client, codec)));
    }

    @ParameterizedTest
    @MethodSource("clientsAndCodecs")
    void whatItAndTheJavaClientWriteBothRead(ClientProgram client, String codec) throws Exception {
        client.install();
        String topic = createTopic(client + "-" + codec);
        List<Message> messages = Message.some(2 * COUNT);

        List<Message> acknowledged =
                client.produce(directory, broker.bootstrapServers(), topic, codec, messages.subList(0, COUNT));
        List<CompressionType> codecs = codecsOfBatches(topic);
        produce(topic, codec, messages.subList(COUNT, 2 * COUNT));

        assertThat(acknowledged).isEqualTo(messages.subList(0, COUNT));
        // librdkafka also sends batches uncompressed if compression would make them larger
        assertThat(codecs).contains(CompressionType.forName(codec));
        assertThat(consume(topic, 2 * COUNT)).isEqualTo(messages);
        List<Message> consumed = BY_GROUP_ONLY.contains(client)
                ? client.consumeInGroup(directory, broker.bootstrapServers(), topic, 2 * COUNT, topic)
                : client.consume(directory, broker.bootstrapServers(), topic, 2 * COUNT);
        assertThat(consumed).isEqualTo(messages);
    }

    @ParameterizedTest
    @EnumSource
    void itsGroupGoesOnWhereTheLastMemberStopped(ClientProgram client) throws Exception {
        client.install();
        String topic = createTopic(client + "-by-group");
        List<Message> messages = Message.some(COUNT);
        produce(topic, "none", messages);
        int first = COUNT / 3;

        List<Message> before =
                client.consumeInGroup(directory, broker.bootstrapServers(), topic, first, "of-" + client);
        OffsetAndMetadata committed = committed("of-" + client, topic);
        List<Message> after =
                client.consumeInGroup(directory, broker.bootstrapServers(), topic, COUNT - first, "of-" + client);

        assertThat(before).isEqualTo(messages.subList(0, first));
        assertThat(committed.offset()).isEqualTo(first);
        assertThat(after).isEqualTo(messages.subList(first, COUNT));
        assertThat(committed("of-" + client, topic).offset()).isEqualTo(COUNT);
    }

    @ParameterizedTest
    @EnumSource
    void itsIdempotentProducerIsServed(ClientProgram client) throws Exception {
        client.install();
        String topic = createTopic(client + "-idempotent");
        List<Message> messages = Message.some(COUNT);

        List<Message> acknowledged =
                client.produceIdempotent(directory, broker.bootstrapServers(), topic, "none", messages);

        assertThat(acknowledged).isEqualTo(messages);
        assertThat(consume(topic, COUNT)).isEqualTo(messages);
    }

    @Test
    void librdkafkaIsAMemberOfAGroupOfTheConsumerProtocol() throws Exception {
        ClientProgram client = ClientProgram.CONFLUENT_KAFKA;
        client.install();
        String topic = createTopic("assigned-by-broker");
        List<Message> messages = Message.some(COUNT);
        produce(topic, "none", messages);

        List<Message> first = client.consumeInNewGroup(directory, broker.bootstrapServers(), topic, 10, "new");
        List<Message> others = client.consumeInNewGroup(directory, broker.bootstrapServers(), topic, COUNT - 10, "new");

        assertThat(first).isEqualTo(messages.subList(0, 10));
        assertThat(others).isEqualTo(messages.subList(10, COUNT));
        assertThat(committed("new", topic).offset()).isEqualTo(COUNT);
    }

    @ParameterizedTest
    @EnumSource
    void itsAdminClientIsServed(ClientProgram client) throws Exception {
        client.install();

        assertThat(client.administer(directory, broker.bootstrapServers(), client + "-administered"))
                .map(line -> line.toLowerCase(Locale.ROOT))
                .containsExactly(
                        "partitions=2",
                        "retention.ms=1111",
                        "retention.ms=2222",
                        "partitions=3",
                        "end=0",
                        "listed=true",
                        "listed=false");
    }

    private static OffsetAndMetadata committed(String group, String topic) throws Exception {
        return admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(topic, 0));
    }

    private static String createTopic(String name) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        return name;
    }

    private static void produce(String topic, String codec, List<Message> messages) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "compression.type", codec),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (Message message : messages) {
                sent.add(producer.send(message.toPartition(topic, 0)));
            }
        }
        for (int i = 0; i < sent.size(); i++) {
            assertThat(sent.get(i).get().offset()).isEqualTo(messages.get(i).offset());
        }
    }

    /** The codecs of the stored batches. A client may send batches uncompressed if it considers the broker too old. */
    private static List<CompressionType> codecsOfBatches(String topic) throws IOException {
        FetchRequestData request = new FetchRequestData()
                .setMaxBytes(1 << 30)
                .setTopics(List.of(new FetchTopic()
                        .setTopic(topic)
                        .setPartitions(
                                List.of(new FetchPartition().setPartition(0).setPartitionMaxBytes(1 << 30)))));
        try (Wire wire = new Wire(broker)) {
            FetchResponseData response = (FetchResponseData) wire.ask(ApiKeys.FETCH, FETCH_BY_NAME, request);
            Records records =
                    (Records) response.responses().get(0).partitions().get(0).records();
            List<CompressionType> codecs = new ArrayList<>();
            records.batches().forEach(batch -> codecs.add(batch.compressionType()));
            return codecs;
        }
    }

    private static List<Message> consume(String topic, int count) {
        List<Message> messages = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
            while (messages.size() < count && System.nanoTime() - deadlineNanos < 0) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> messages.add(Message.of(record)));
            }
        }
        return messages;
    }
}

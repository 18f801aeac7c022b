package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rivulet.broker.EmbeddedBroker;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the console changes, seen through Kafka's client. */
final class ConsoleChangesIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    @AutoClose
    private final EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
            .with("rivulet.http.listener", "localhost:0")
            .with("rivulet.console", "on")
            .with("rivulet.console.writes", "true")
            .topic("orders", 1)
            .topic("copies", 3)
            .start();

    private final ConsoleClient console = ConsoleClient.of(broker);

    private ConsumerRecord<byte[], byte[]> only(TopicPartition partition) {
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            List<ConsumerRecord<byte[], byte[]>> records = List.of();
            while (records.isEmpty()) {
                records = consumer.poll(Duration.ofMillis(100)).records(partition);
            }
            assertThat(records).hasSize(1);
            return records.get(0);
        }
    }

    @Test
    void aRecordIsProducedWithKeyValueAndHeaders() throws Exception {
        JsonNode stored = console.change(
                "produce",
                "topic",
                "copies",
                "partition",
                2,
                "key",
                "ключ",
                "value",
                "{\"a\":1}\n",
                "header-name",
                "h",
                "header-value",
                "x: y",
                "header-name",
                "h",
                "header-value",
                "");

        assertThat(stored.get("offset").asLong()).isZero();
        ConsumerRecord<byte[], byte[]> record = only(new TopicPartition("copies", 2));
        assertThat(new String(record.key(), UTF_8)).isEqualTo("ключ");
        assertThat(new String(record.value(), UTF_8)).isEqualTo("{\"a\":1}\n");
        assertThat(record.headers().toArray()).hasSize(2);
        assertThat(record.headers().toArray()[0].value()).isEqualTo("x: y".getBytes(UTF_8));
        assertThat(record.timestamp()).isCloseTo(System.currentTimeMillis(), within(Clients.PATIENCE.toMillis()));
    }

    /** A tombstone: a key without a value. */
    @Test
    void whatIsNotGivenIsNull() throws Exception {
        console.change("produce", "topic", "orders", "partition", 0, "key", "");

        assertThat(only(ORDERS).key()).isEmpty();
        assertThat(only(ORDERS).value()).isNull();
    }

    @Test
    void aRecordIsCopiedByteForByte() throws Exception {
        byte[] bytes = {0, (byte) 0xff, 13, 10, (byte) 0xc0};
        String base64 = Base64.getEncoder().encodeToString(bytes);
        console.change(
                "produce",
                "topic",
                "orders",
                "partition",
                0,
                "key64",
                base64,
                "value64",
                base64,
                "header-name",
                "h",
                "header-value",
                "v");

        JsonNode copied = console.change(
                "replay", "topic", "orders", "partition", 0, "offset", 0, "to", "copies", "toPartition", 1);

        assertThat(copied.get("topic").asString()).isEqualTo("copies");
        ConsumerRecord<byte[], byte[]> copy = only(new TopicPartition("copies", 1));
        assertThat(copy.key()).isEqualTo(bytes);
        assertThat(copy.value()).isEqualTo(bytes);
        assertThat(copy.headers().lastHeader("h").value()).isEqualTo("v".getBytes(UTF_8));
    }

    @Test
    void aConfigOfATopicIsSetAndGoesBackToItsDefault() throws Exception {
        ConfigResource orders = new ConfigResource(ConfigResource.Type.TOPIC, "orders");
        try (Admin admin = Clients.admin(broker.bootstrapServers())) {
            console.change("topic-config", "topic", "orders", "name", "retention.ms", "value", "123456");
            assertThat(admin.describeConfigs(Set.of(orders))
                            .all()
                            .get()
                            .get(orders)
                            .get("retention.ms")
                            .value())
                    .isEqualTo("123456");

            console.change("topic-config", "topic", "orders", "name", "retention.ms");
            assertThat(admin.describeConfigs(Set.of(orders))
                            .all()
                            .get()
                            .get(orders)
                            .get("retention.ms")
                            .isDefault())
                    .isTrue();
        }
    }

    @Test
    void anOffsetOfAGroupIsSetAndTheGroupDeleted() throws Exception {
        console.change("produce", "topic", "orders", "partition", 0, "value", "x");
        try (Admin admin = Clients.admin(broker.bootstrapServers())) {
            admin.alterConsumerGroupOffsets("readers", Map.of(ORDERS, new OffsetAndMetadata(1)))
                    .all()
                    .get();
            console.change("group-offset", "id", "readers", "topic", "orders", "partition", 0, "offset", 0);
            assertThat(admin.listConsumerGroupOffsets("readers")
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .get(ORDERS)
                            .offset())
                    .isZero();

            console.change("group-delete", "id", "readers");
            assertThat(console.get("groups").get("rows")).isEmpty();
        }
    }

    @Test
    void aGroupWithMembersIsLeftAlone() throws Exception {
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer(broker.bootstrapServers(), Map.of("group.id", "readers"))) {
            consumer.subscribe(List.of("orders"));
            while (consumer.assignment().isEmpty()) {
                consumer.poll(Duration.ofMillis(50));
            }
            HttpResponse<String> set =
                    console.tryChange("group-offset", "id", "readers", "topic", "orders", "partition", 0, "offset", 0);
            HttpResponse<String> deleted = console.tryChange("group-delete", "id", "readers");

            assertThat(set.statusCode()).isEqualTo(400);
            assertThat(set.body()).contains("has members");
            assertThat(deleted.statusCode()).isEqualTo(400);
            assertThat(deleted.body()).contains("has members");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "produce, topic=none&partition=0&value=x, 404",
        "produce, topic=orders&partition=1&value=x, 404",
        "produce, topic=orders&partition=-1&value=x, 400",
        "produce, topic=orders&partition=x, 400",
        "produce, topic=orders&partition=0&value64=%%, 400",
        "produce, topic=orders&partition=0&value64=*, 400",
        "produce, topic=orders&partition=0&header-name=a, 400",
        "produce, topic=__consumer_offsets&partition=0&value=x, 404",
        "produce, '', 400",
        "replay, topic=orders&partition=0&offset=0&to=copies&toPartition=0, 404",
        "replay, topic=orders&partition=9&offset=0&to=copies&toPartition=0, 404",
        "replay, topic=orders&partition=0&offset=0&to=__consumer_offsets&toPartition=0, 404",
        "topic-config, topic=none&name=retention.ms&value=1, 404",
        "topic-config, topic=orders&name=none&value=1, 400",
        "topic-config, topic=orders&name=retention.ms&value=<b>, 400",
        "topic-config, topic=orders, 400",
        "group-offset, id=g&topic=none&partition=0&offset=0, 400",
        "group-offset, id=g&topic=orders&partition=0&offset=-1, 400",
        "group-delete, id=none, 400",
        "group-delete, '', 400"
    })
    void changesThatMakeNoSenseAreRefused(String name, String fields, int status) throws Exception {
        HttpResponse<String> answer = console.tryRaw(name, fields);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).isNotBlank().doesNotContain("internal error");
    }
}

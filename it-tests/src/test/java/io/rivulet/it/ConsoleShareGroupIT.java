package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rivulet.broker.EmbeddedBroker;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The pages of the console for a share group of a real client. */
final class ConsoleShareGroupIT {
    private static final int RECORDS = 10;
    private static final int ACCEPTED = 4;

    @AutoClose
    private final EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
            .topic("jobs", 2)
            .with("rivulet.http.listener", "localhost:0")
            .with("rivulet.console", "on")
            .with("rivulet.console.writes", "true")
            .start();

    private final ConsoleClient console = ConsoleClient.of(broker);

    @BeforeEach
    void produce() throws Exception {
        try (Admin admin = Clients.admin(broker.bootstrapServers())) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.GROUP, "workers"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker.bootstrapServers(), Map.of())) {
            Clients.sendAll(
                    producer,
                    IntStream.range(0, RECORDS)
                            .mapToObj(i -> new ProducerRecord<String, String>("jobs", 1, null, "v" + i))
                            .toList());
        }
    }

    private KafkaShareConsumer<String, String> consumer() {
        KafkaShareConsumer<String, String> consumer = new KafkaShareConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "group.id",
                        "workers",
                        "client.id",
                        "<b>worker</b>",
                        "share.acknowledgement.mode",
                        "explicit"),
                new StringDeserializer(),
                new StringDeserializer());
        consumer.subscribe(List.of("jobs"));
        return consumer;
    }

    /** Accepts the first records of the partition, and releases the others. */
    private static void acceptSome(KafkaShareConsumer<String, String> consumer) {
        int seen = 0;
        while (seen < RECORDS) {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                boolean accepts = record.offset() < ACCEPTED;
                consumer.acknowledge(record, accepts ? AcknowledgeType.ACCEPT : AcknowledgeType.RELEASE);
                seen++;
            }
            assertThat(consumer.commitSync().values()).allMatch(failure -> failure.isEmpty());
        }
    }

    private JsonNode partitionOne() throws Exception {
        for (JsonNode row : console.get("share-offsets", "id", "workers").get("rows")) {
            if (row.get("partition").asInt() == 1) {
                return row;
            }
        }
        throw new AssertionError("no row of partition 1");
    }

    @Test
    void membersStartOffsetsAndLagAreShownAndCanBeChanged() throws Exception {
        try (KafkaShareConsumer<String, String> consumer = consumer()) {
            acceptSome(consumer);

            JsonNode group = console.get("group", "id", "workers");
            assertThat(group.get("type").asString()).isEqualTo("share");
            JsonNode member = group.get("members").get(0);
            assertThat(member.get("client").asString()).isEqualTo("<b>worker</b>");
            assertThat(member.get("assigned").get(0).get("topic").asString()).isEqualTo("jobs");
            assertThat(member.get("assigned").get(0).get("partitions").asInt()).isEqualTo(2);
            JsonNode row = partitionOne();
            assertThat(row.get("offset").asInt()).isEqualTo(ACCEPTED);
            assertThat(row.get("end").asInt()).isEqualTo(RECORDS);
            assertThat(row.get("lag").asInt()).isEqualTo(RECORDS - ACCEPTED);
            HttpResponse<String> early = reset();
            assertThat(early.statusCode()).isEqualTo(400);
            assertThat(early.body()).contains("has members");
        }
        await().untilAsserted(() -> assertThat(
                        console.get("group", "id", "workers").get("state").asString())
                .isEqualTo("Empty"));

        assertThat(reset().statusCode()).isEqualTo(200);
        assertThat(partitionOne().get("offset").asInt()).isEqualTo(1);
        console.change("group-delete", "id", "workers");
        assertThat(console.get("groups").get("rows")).isEmpty();
    }

    private HttpResponse<String> reset() throws Exception {
        return console.tryChange("share-offset", "id", "workers", "topic", "jobs", "partition", 1, "offset", 1);
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.HttpPage.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page /metrics of a broker that clients use. */
final class MetricsIT {
    private static final String TOPICS = "kafka_server_brokertopicmetrics_";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(
                directory, Map.of("rivulet.http.listener", "localhost:0", "rivulet.metrics.topics", "2"));
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private Answer page(String query) throws Exception {
        return HttpPage.get("http://localhost:"
                + Objects.requireNonNull(broker.httpAddress()).getPort() + "/metrics" + query);
    }

    /** The value of each sample, by its name and labels as they are written. */
    private Map<String, Double> scrape(String query) throws Exception {
        Answer answer = page(query);
        assertThat(answer.status()).isEqualTo(200);
        Map<String, Double> samples = new HashMap<>();
        answer.body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        });
        return samples;
    }

    private void produce(String topic, int count, Map<String, Object> settings) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, settings)) {
            List<ProducerRecord<String, String>> records = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                records.add(new ProducerRecord<>(topic, 0, null, "value-" + i));
            }
            Clients.sendAll(producer, records);
        }
    }

    @Test
    void valuesAreTheClientsOwnCounts() throws Exception {
        double sentBytes;
        double requests;
        try (KafkaProducer<String, String> producer =
                Clients.producer(broker, Map.of("batch.size", 2000, "compression.type", "none"))) {
            List<ProducerRecord<String, String>> records = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                records.add(new ProducerRecord<>("orders", 0, null, "value-" + i));
            }
            Clients.sendAll(producer, records);
            sentBytes = sum(producer.metrics(), "producer-topic-metrics", "byte-total");
            requests = sum(producer.metrics(), "producer-node-metrics", "request-total");
        }
        produce("single", 1, Map.of());
        List<ConsumerRecord<String, String>> read =
                Clients.read(broker, new TopicPartition("orders", 0), 1000, Map.of());
        assertThat(read).hasSize(1000);

        Map<String, Double> samples = scrape("");

        assertThat(samples)
                .containsEntry(TOPICS + "messagesin_total", 1001.0)
                .containsEntry(TOPICS + "messagesin_total{topic=\"orders\"}", 1000.0)
                .containsEntry(TOPICS + "messagesin_total{topic=\"single\"}", 1.0)
                .containsEntry(TOPICS + "messagesin_total{topic=\"(other)\"}", 0.0)
                .containsEntry(TOPICS + "failedproducerequests_total", 0.0);
        assertThat(samples.get(TOPICS + "bytesin_total{topic=\"orders\"}")).isEqualTo(sentBytes);
        assertThat(samples.get(TOPICS + "bytesout_total{topic=\"orders\"}")).isGreaterThan(10_000);
        assertThat(samples.get("kafka_network_requestmetrics_requests_total{request=\"Produce\"}"))
                .isPositive()
                .isLessThanOrEqualTo(requests + 3);
        assertThat(samples.get("rivulet_request_seconds_count{request=\"Fetch\"}"))
                .isPositive();
        assertThat(samples.get("kafka_network_requestmetrics_totaltimems{request=\"Produce\",quantile=\"0.99\"}"))
                .isBetween(0.0, 60_000.0);
        assertThat(samples).containsEntry("kafka_server_replicamanager_partitioncount", 2.0);
        assertThat(samples.get("kafka_server_socket_server_metrics_connection_creation_total{listener=\"PLAINTEXT\"}"))
                .isGreaterThanOrEqualTo(3);
        assertThat(samples.get("rivulet_log_force_seconds_total")).isPositive();
        assertThat(samples.get("process_open_fds")).isPositive();
        assertThat(samples.get("kafka_network_socketserver_networkprocessoravgidle_percent"))
                .isBetween(0.0, 1.0);
    }

    private static double sum(Map<?, ? extends Metric> metrics, String group, String name) {
        return metrics.values().stream()
                .filter(metric -> metric.metricName().group().equals(group)
                        && metric.metricName().name().equals(name))
                .mapToDouble(metric -> (double) metric.metricValue())
                .sum();
    }

    @Test
    void aRecordThatIsRefusedIsAFailure() throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("small", 1, (short) 1).configs(Map.of("max.message.bytes", "100"))))
                    .all()
                    .get();
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            assertThat(producer.send(new ProducerRecord<>("small", "x".repeat(500))))
                    .failsWithin(PATIENCE);
        }

        assertThat(scrape(""))
                .containsEntry(TOPICS + "failedproducerequests_total{topic=\"small\"}", 1.0)
                .containsEntry(TOPICS + "messagesin_total{topic=\"small\"}", 0.0);
    }

    @Test
    void aDeletedTopicsSeriesEndsAndTotalsStay() throws Exception {
        produce("first", 3, Map.of());
        produce("second", 4, Map.of());
        produce("third", 5, Map.of());
        assertThat(scrape(""))
                .containsEntry(TOPICS + "messagesin_total{topic=\"first\"}", 3.0)
                .containsEntry(TOPICS + "messagesin_total{topic=\"(other)\"}", 5.0);

        try (Admin admin = Clients.admin(broker)) {
            admin.deleteTopics(List.of("first")).all().get();
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(scrape("")).doesNotContainKey(TOPICS + "messagesin_total{topic=\"first\"}"));
        produce("fourth", 6, Map.of());

        assertThat(scrape(""))
                .containsEntry(TOPICS + "messagesin_total", 18.0)
                .containsEntry(TOPICS + "messagesin_total{topic=\"fourth\"}", 6.0);
    }

    @Test
    void aQueryChoosesTheFamilyOfNames() throws Exception {
        produce("orders", 1, Map.of());

        assertThat(scrape("?names=confluent")).containsEntry(TOPICS + "messagesinpersec", 1.0);
        assertThat(scrape("?names=reporter")).containsEntry(TOPICS + "messagesinpersec_total", 1.0);
        assertThat(page("?names=other").status()).isEqualTo(400);
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tool.Json;
import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.FaultShim.Call;
import io.rivulet.store.faults.FaultShim.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alerts in docs/observe, with Debian's Prometheus and a broker that has clients. */
final class DashboardIT {
    private static final Path OBSERVE =
            Path.of("..", "docs", "observe").toAbsolutePath().normalize();
    private static final TopicPartition PARTITION = new TopicPartition("measured", 0);
    private static final int RECORDS = 3000;
    /** An id may be any text. */
    private static final String GROUP = "a \"group\"\n\\{topic=\u00e9} 1";

    private static final int LAG = 7;
    /** Alerts that other programs cause, which use the same disk. */
    private static final List<String> OF_THE_MACHINE =
            List.of("RivuletDiskNearlyFull", "RivuletDiskFullInFourHours", "RivuletForcesAreSlow");

    @TempDir
    private Path scratch;

    private Path data;

    @BeforeEach
    void copyRules() throws IOException {
        Programs.require("prometheus");
        data = Files.createDirectory(scratch.resolve("data"));
        Files.writeString(
                scratch.resolve("alerts.yaml"),
                Files.readString(OBSERVE.resolve("alerts.yaml")).replaceAll("for: \\w+", "for: 0s"));
    }

    private ServerProcess start(Map<String, String> environment) throws IOException {
        ServerProcess.Launch launch = ServerProcess.in(scratch);
        environment.forEach(launch::environment);
        return launch.start(
                "--override=listeners=PLAINTEXT://localhost:0",
                "--override=rivulet.tail.bytes=" + (16 << 20),
                "--override=log.dirs=" + data);
    }

    private PrometheusServer prometheus(ServerProcess server) throws IOException {
        return PrometheusServer.start(
                scratch, OBSERVE.resolve("prometheus.yaml"), server.http().substring("http://".length()));
    }

    private static void produceAndConsume(int port) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer("localhost:" + port, Map.of())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, "value-" + i));
            }
            producer.flush();
        }
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer("localhost:" + port, Map.of("group.id", GROUP, "enable.auto.commit", "false"))) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            assertThat(Clients.poll(consumer, RECORDS)).hasSize(RECORDS);
            consumer.commitSync(Map.of(PARTITION, new OffsetAndMetadata(RECORDS - LAG)));
        }
    }

    /** All expressions of the dashboard. */
    private static List<String> expressions() throws IOException {
        List<String> found = new ArrayList<>();
        Map<?, ?> dashboard =
                (Map<?, ?>) Objects.requireNonNull(Json.parse(Files.readString(OBSERVE.resolve("dashboard.json"))));
        for (Object panel : (List<?>) Objects.requireNonNull(dashboard.get("panels"))) {
            Object targets = ((Map<?, ?>) panel).get("targets");
            if (targets != null) {
                ((List<?>) targets).forEach(target -> found.add(String.valueOf(((Map<?, ?>) target).get("expr"))));
            }
        }
        return found;
    }

    /** Above all those of a cluster, which no test of one broker can make true. */
    @Test
    void theAlertsFireWhenTheirOwnTestsSaySo() throws Exception {
        Programs.Outcome outcome = Programs.run(
                scratch,
                "promtool",
                "test",
                "rules",
                OBSERVE.resolve("alerts.test.yaml").toString());

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out() + outcome.err()).contains("SUCCESS");
    }

    @Test
    void eachQueryOfTheDashboardHasSeriesAndTheirValuesAreThoseOfTheClients() throws Exception {
        try (ServerProcess server = start(Map.of())) {
            int port = server.awaitReady();
            try (PrometheusServer prometheus = prometheus(server)) {
                prometheus.awaitScrapes(2);
                produceAndConsume(port);
                prometheus.awaitScrapes(5);
                String instance = server.http().substring("http://".length());
                assertThat(expressions())
                        .hasSizeGreaterThan(30)
                        .allSatisfy(expression -> assertThat(prometheus.query(expression
                                        .replace("$job", "rivulet")
                                        .replace("$instance", instance)
                                        .replace("$__rate_interval", "1m")))
                                .as(expression)
                                .isNotEmpty());
                String records =
                        "kafka_server_brokertopicmetrics_messagesin_total{topic=\"" + PARTITION.topic() + "\"}";
                assertThat(prometheus.query(records))
                        .extracting(PrometheusServer.Sample::value)
                        .containsExactly(String.valueOf(RECORDS));
                assertThat(prometheus.query("kafka_consumergroup_lag{topic=\"" + PARTITION.topic() + "\"}"))
                        .singleElement()
                        .satisfies(lag -> {
                            assertThat(lag.value()).isEqualTo(String.valueOf(LAG));
                            assertThat(lag.labels().get("consumergroup")).isEqualTo(GROUP);
                        });
                assertThat(prometheus.rules()).hasSizeGreaterThan(10).allMatch(rule -> rule.endsWith(" ok"));
                assertThat(prometheus.firing()).isSubsetOf(OF_THE_MACHINE);
            }
        }
    }

    @Test
    void alertsFireWhenTheDiskIsFullAndWhenTheBrokerHasEnded() throws Exception {
        FaultShim.require();
        FaultShim shim = FaultShim.compile(scratch, data);
        try (ServerProcess server = start(shim.environment())) {
            int port = server.awaitReady();
            try (PrometheusServer prometheus = prometheus(server);
                    KafkaProducer<String, String> producer =
                            Clients.producer("localhost:" + port, Map.of("retry.backoff.ms", "100"))) {
                producer.send(new ProducerRecord<>(PARTITION.topic(), "before")).get();
                prometheus.awaitScrapes(2);
                assertThat(prometheus.firing()).isSubsetOf(OF_THE_MACHINE);

                shim.fail(Call.WRITE, Errno.ENOSPC, "*");
                var unused = producer.send(new ProducerRecord<>(PARTITION.topic(), "during"));
                Awaitility.await()
                        .atMost(Clients.PATIENCE)
                        .until(() -> prometheus.firing().contains("RivuletRefusesRecords"));
                shim.heal();
                Awaitility.await()
                        .atMost(Clients.PATIENCE)
                        .until(() -> !prometheus.firing().contains("RivuletRefusesRecords"));

                server.kill();
                Awaitility.await()
                        .atMost(Clients.PATIENCE)
                        .until(() -> prometheus.firing().contains("RivuletDown"));
            }
        }
    }
}

package io.rivulet.it.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A distributed worker of Kafka Connect, alone in its group. Can be killed and started again. Owned by: the test's
 * thread.
 */
final class Worker implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path directory;
    private final Path properties;
    private final URI rest;
    private AppProcess process;

    Worker(Path directory, String servers, String exactlyOnceSource) throws IOException {
        this.directory = directory;
        rest = URI.create("http://localhost:" + Ports.free());
        Properties settings = new Properties();
        settings.putAll(Map.ofEntries(
                Map.entry("bootstrap.servers", servers),
                Map.entry("listeners", rest.toString()),
                Map.entry("group.id", "connect"),
                Map.entry("config.storage.topic", "connect-configs"),
                Map.entry("offset.storage.topic", "connect-offsets"),
                Map.entry("status.storage.topic", "connect-status"),
                Map.entry("config.storage.replication.factor", "1"),
                Map.entry("offset.storage.replication.factor", "-1"),
                Map.entry("status.storage.replication.factor", "1"),
                Map.entry("key.converter", "org.apache.kafka.connect.storage.StringConverter"),
                Map.entry("value.converter", "org.apache.kafka.connect.storage.StringConverter"),
                Map.entry("exactly.once.source.support", exactlyOnceSource),
                Map.entry("offset.flush.interval.ms", "200"),
                // At its start a worker reads all offsets, so it waits for the transactions of a killed worker.
                Map.entry("producer.transaction.timeout.ms", "2000"),
                // A killed worker is detected soon, and its tasks go to the next one at once.
                Map.entry("session.timeout.ms", "1500"),
                Map.entry("heartbeat.interval.ms", "300"),
                Map.entry("consumer.session.timeout.ms", "1500"),
                Map.entry("consumer.heartbeat.interval.ms", "300"),
                Map.entry("scheduled.rebalance.max.delay.ms", "0"),
                Map.entry("plugin.discovery", "service_load")));
        StringWriter text = new StringWriter();
        settings.store(text, null);
        properties = Files.writeString(directory.resolve("worker.properties"), text.toString());
        process = start();
    }

    private AppProcess start() throws IOException {
        return AppProcess.start(directory, "org.apache.kafka.connect.cli.ConnectDistributed", properties.toString());
    }

    void killAndStart() throws Exception {
        process.close();
        process = start();
    }

    /** Creates a connector or changes its settings. */
    void configure(String connector, Map<String, String> settings) throws Exception {
        String json = settings.entrySet().stream()
                .map(entry -> '"' + entry.getKey() + "\":\"" + entry.getValue() + '"')
                .collect(Collectors.joining(",", "{", "}"));
        awaitAnswer(
                HttpRequest.newBuilder(rest.resolve("/connectors/" + connector + "/config"))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(json)),
                "");
    }

    /** Waits until the connector and its task run. */
    void awaitRunning(String connector) throws Exception {
        awaitAnswer(
                HttpRequest.newBuilder(rest.resolve("/connectors/" + connector + "/status")),
                "\"tasks\":[{\"id\":0,\"state\":\"RUNNING\"");
    }

    AppProcess process() {
        return process;
    }

    private void awaitAnswer(HttpRequest.Builder request, String wanted) throws Exception {
        HttpRequest built = request.timeout(PATIENCE).build();
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> {
                        process.requireAlive();
                        HttpResponse<String> response = http.send(built, HttpResponse.BodyHandlers.ofString());
                        assertThat(response.statusCode()).as(response.body()).isIn(OK, CREATED);
                        assertThat(response.body()).contains(wanted);
                    });
        } catch (RuntimeException e) {
            throw new AssertionError("output of the worker: " + process.lastWords(), e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}

package io.rivulet.it.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.rivulet.it.Clients;
import io.rivulet.it.SeveralBrokers;
import io.rivulet.it.TestBroker;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apicurio Registry, a schema registry that stores its data only in topics. */
@Tag("apps")
@SeveralBrokers
final class RegistryIT {
    private static final Path REGISTRY =
            Path.of("kafka-apps", "target", "registry").toAbsolutePath();
    private static final Path INSTALLED = Path.of("/usr", "lib", "jvm");
    private static final int JAVA_FEATURE = 21;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int OK = 200;
    private static final String SUBJECT = "/apis/ccompat/v7/subjects/orders-value/versions";
    private static final String FIRST = "{\"schema\": \"{\\\"type\\\": \\\"string\\\"}\"}";
    private static final String SECOND = "{\"schema\": \"{\\\"type\\\": \\\"bytes\\\"}\"}";

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private URI rest;
    private Path javaHome;

    /** It needs JDK 21 or newer: that of the test, or another installed one. */
    @BeforeEach
    void findJava() throws IOException {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        if (Files.isDirectory(INSTALLED)) {
            try (Stream<Path> installed = Files.list(INSTALLED)) {
                installed.sorted().forEach(homes::add);
            }
        }
        Optional<Path> found = homes.stream().filter(RegistryIT::isNewEnough).findFirst();
        assumeThat(found).as("a JDK of 21 or newer is installed").isPresent();
        javaHome = found.orElseThrow();
    }

    private static boolean isNewEnough(Path home) {
        try (Reader release = Files.newBufferedReader(home.resolve("release"))) {
            Properties properties = new Properties();
            properties.load(release);
            String version = properties.getProperty("JAVA_VERSION").replace("\"", "");
            return Runtime.Version.parse(version).feature() >= JAVA_FEATURE
                    && Files.isExecutable(home.resolve("bin").resolve("java"));
        } catch (IOException e) {
            return false; // no home of a JDK
        }
    }

    @Test
    void schemasAreThereAfterAKillOfTheRegistry() throws Exception {
        rest = URI.create("http://localhost:" + Ports.free());
        try (TestBroker broker = TestBroker.start(directory.resolve("data"))) {
            AppProcess registry = start(broker);
            try {
                awaitAnswer(registry, "/apis/ccompat/v7/subjects", "[]");
                assertThat(post(FIRST)).isEqualTo("{\"id\":1}");
                assertThat(post(SECOND)).isEqualTo("{\"id\":2}");
                registry.close();
                registry = start(broker);
                // it responds before it has read its journal
                awaitAnswer(registry, SUBJECT, "[1,2]");
                assertThat(get("/apis/ccompat/v7/subjects").body()).isEqualTo("[\"orders-value\"]");
                assertThat(get("/apis/ccompat/v7/schemas/ids/2").body()).contains("bytes");
            } finally {
                registry.close();
            }
            try (Admin admin = Clients.admin(broker)) {
                assertThat(admin.listTopics().names().get()).contains("kafkasql-journal");
            }
        }
    }

    private AppProcess start(TestBroker broker) throws IOException {
        return AppProcess.startJava(
                directory,
                javaHome,
                List.of(
                        "-Dquarkus.http.port=" + rest.getPort(),
                        "-Dapicurio.storage.kind=kafkasql",
                        "-Dapicurio.kafkasql.bootstrap.servers=" + broker.bootstrapServers(),
                        "-jar",
                        REGISTRY.resolve("quarkus-run.jar").toString()));
    }

    private void awaitAnswer(AppProcess registry, String path, String wanted) throws Exception {
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> {
                        registry.requireAlive();
                        HttpResponse<String> response = get(path);
                        assertThat(response.statusCode()).isEqualTo(OK);
                        assertThat(response.body()).isEqualTo(wanted);
                    });
        } catch (RuntimeException e) {
            throw new AssertionError("output of the registry: " + registry.lastWords(), e);
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(rest.resolve(path)).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String post(String schema) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(rest.resolve(SUBJECT))
                .timeout(PATIENCE)
                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                .POST(HttpRequest.BodyPublishers.ofString(schema))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}

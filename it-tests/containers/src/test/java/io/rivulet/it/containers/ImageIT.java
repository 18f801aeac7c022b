package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The image works like that of apache/kafka. */
final class ImageIT {
    private static final String SERVER = "--bootstrap-server=localhost:9092";

    @BeforeAll
    static void image() {
        Image.require();
    }

    @Test
    void printsTheReadyLinesThatTestcontainersExpect() {
        try (Broker broker = Broker.runBare("-e", "KAFKA_NODE_ID=7").awaitReady()) {
            assertThat(broker.log().lines().filter(line -> line.startsWith("[")))
                    .containsExactly(
                            "[BrokerLifecycleManager id=7] The broker has been unfenced."
                                    + " Transitioning from RECOVERY to RUNNING.",
                            "[KafkaRaftServer nodeId=7] Kafka Server started",
                            "[KafkaServer id=7] started");
        }
    }

    @Test
    void sigtermEndsItWithZero() {
        try (Broker broker = Broker.runBare().awaitReady()) {
            broker.stop();

            assertThat(broker.inspect("{{.State.ExitCode}}")).isEqualTo("0");
        }
    }

    @Test
    void isNotRootAndBecomesHealthy() {
        try (Broker broker = Broker.runBare().awaitReady()) {
            assertThat(broker.exec("id", "-u").strip()).isNotEqualTo("0");
            Awaitility.await()
                    .atMost(1, TimeUnit.MINUTES)
                    .pollInterval(500, TimeUnit.MILLISECONDS)
                    .until(() -> broker.inspect("{{.State.Health.Status}}").equals("healthy"));
        }
    }

    /** Kubernetes checks runAsNonRoot with the number. */
    @Test
    void theUserIsANumber() {
        assertThat(inspectImage("{{.Config.User}}")).isEqualTo("1000");
    }

    @Test
    void labelsSayWhatItIs() throws IOException {
        String version = Shell.run("docker", "run", "--rm", Image.TAG, "rivulet", "version");

        assertThat(label("org.opencontainers.image.title")).isEqualTo("Rivulet");
        assertThat(label("org.opencontainers.image.description")).startsWith("A Kafka-compatible broker");
        assertThat(label("org.opencontainers.image.licenses")).isEqualTo("Apache-2.0");
        assertThat(version).startsWith("rivulet " + label("org.opencontainers.image.version") + " ");
        assertThat(label("org.opencontainers.image.revision")).matches("[0-9a-f]{40}(-dirty)?");
        if (!Boolean.getBoolean("rivulet.image.built")) {
            assertThat(label("org.opencontainers.image.revision"))
                    .startsWith(Shell.run("git", "rev-parse", "HEAD").strip());
        }
        // the time of the source, so that two builds have the same labels
        assertThat(Files.readString(Path.of("..", "..", "pom.xml")))
                .contains("<project.build.outputTimestamp>" + label("org.opencontainers.image.created") + "<");
    }

    @Test
    void theListOfLibrariesHasEachJar() {
        String list = label("io.rivulet.sbom");
        String[] jars = Shell.run("docker", "run", "--rm", Image.TAG, "ls", "/opt/rivulet/lib")
                .strip()
                .split("\n", -1);

        String sbom = Shell.run("docker", "run", "--rm", Image.TAG, "cat", list);
        List<String> components = Pattern.compile("pkg:maven/[^/]+/([^@]+)@([^?\"]+)[?\"]")
                .matcher(sbom)
                .results()
                .map(found -> found.group(1) + "-" + found.group(2) + ".jar")
                .toList();

        assertThat(sbom).contains("\"bomFormat\"", "CycloneDX");
        assertThat(jars).hasSizeGreaterThan(10);
        assertThat(components).contains(jars).anyMatch(name -> name.startsWith("netty-tcnative-boringssl-static-"));
    }

    /** The paths that docker/jlink.sh takes on such a machine, which no test has. */
    @ParameterizedTest
    @CsvSource({
        "lib, zstd-jni-, linux/aarch64/libzstd-jni-",
        "lib, snappy-java-, org/xerial/snappy/native/Linux/aarch64/libsnappyjava.so",
        "lib, lz4-java-, net/jpountz/util/linux/aarch64/liblz4-java.so",
        "lib, netty-transport-native-epoll-, META-INF/native/libnetty_transport_native_epoll_aarch_64.so",
        "lib, netty-transport-native-io_uring-, META-INF/native/libnetty_transport_native_io_uring42_aarch_64.so",
        "boringssl, netty-tcnative-boringssl-static-, META-INF/native/libnetty_tcnative_linux_aarch_64.so",
    })
    void nativeLibrariesForArm64AreThere(String folder, String jar, String entry) throws IOException {
        Path jars = Path.of("..", "..", "broker", "target", folder);
        List<String> entries = new ArrayList<>();
        try (Stream<Path> files = Files.list(jars)) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith(jar))
                    .toList()) {
                try (ZipFile zip = new ZipFile(file.toFile())) {
                    zip.stream().map(ZipEntry::getName).forEach(entries::add);
                }
            }
        }

        assertThat(entries).anyMatch(name -> name.startsWith(entry));
    }

    private static String label(String name) {
        return inspectImage("{{index .Config.Labels \"" + name + "\"}}");
    }

    private static String inspectImage(String format) {
        return Shell.run("docker", "image", "inspect", "--format", format, Image.require())
                .strip();
    }

    @Test
    void isUnhealthyWithoutAResponse() {
        String health = "docker run --rm " + Image.TAG + " /opt/rivulet/bin/health";
        assertThat(Shell.tryRun(Map.of(), health.split(" ", -1)).exitCode()).isEqualTo(1);
    }

    @Test
    void aReadOnlyRootIsEnoughForEveryCodec() throws Exception {
        try (Broker broker = Broker.run("--read-only", "-m", "256m").awaitReady()) {
            List<String> sent = new ArrayList<>();
            for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
                List<String> values = List.of(codec + " 1", codec + " 2");
                KafkaClients.produce(broker.servers(), "codecs", Map.of("compression.type", codec), values);
                sent.addAll(values);
            }

            assertThat(KafkaClients.consume(broker.servers(), "codecs", sent.size()))
                    .isEqualTo(sent);
            // the tool decompresses with the broker's codecs
            assertThat(broker.exec(
                            "/opt/kafka/bin/kafka-console-consumer.sh",
                            SERVER,
                            "--topic",
                            "codecs",
                            "--from-beginning",
                            "--max-messages",
                            "10"))
                    .isEqualTo(String.join("\n", sent) + "\n");
        }
    }

    /** With mode on, a start with an invalid cache fails instead of being slow. */
    @Test
    void theAotCacheIsUsed() {
        try (Broker broker = Broker.runBare("-e", "RIVULET_OPTS=-XX:AOTMode=on").awaitReady()) {
            assertThat(broker.exec("rivulet", "version")).startsWith("rivulet ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KAFKA_JVM_PERFORMANCE_OPTS", "RIVULET_OPTS"})
    void anotherCollectorAndHeapMayBeChosen(String variable) {
        try (Broker broker = Broker.runBare("-e", "KAFKA_HEAP_OPTS=-Xms64m -Xmx64m", "-e", variable + "=-XX:+UseG1GC")
                .awaitReady()) {
            assertThat(broker.exec("bash", "-c", "tr '\\0' ' ' </proc/1/cmdline"))
                    .contains("-Xmx64m", "-XX:+UseG1GC")
                    .doesNotContain("MaxRAMPercentage", "collector.options");
        }
    }

    @Test
    void topicsOfTheEnvironmentAreCreatedAndTheToolsListThem() {
        try (Broker broker =
                Broker.runBare("-e", "KAFKA_CREATE_TOPICS=orders:3:1,plain").awaitReady()) {
            assertThat(broker.exec("/opt/kafka/bin/kafka-topics.sh", SERVER, "--list"))
                    .isEqualTo("orders\nplain\n");
            assertThat(broker.exec("/opt/kafka/bin/kafka-metadata-quorum.sh", SERVER, "describe", "--status"))
                    .contains("MaxFollowerLag:         0\n");
            assertThat(broker.exec("kafka-get-offsets", SERVER, "--topic", "orders"))
                    .isEqualTo("orders:0:0\norders:1:0\norders:2:0\n");
            assertThat(broker.exec("bash", "-c", "echo hello | kafka-console-producer --topic plain " + SERVER))
                    .isEmpty();
            assertThat(broker.exec(
                            "/opt/kafka/bin/kafka-console-consumer.sh",
                            SERVER,
                            "--topic",
                            "plain",
                            "--from-beginning",
                            "--max-messages",
                            "1"))
                    .isEqualTo("hello\n");
        }
    }

    @Test
    void theEnvironmentWinsOverTheMountedFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("server.properties"),
                "num.partitions=3\nauto.create.topics.enable=false\nno.such.key=1\n");
        file.toFile().setReadable(true, false);
        directory.toFile().setExecutable(true, false);
        try (Broker broker = Broker.runBare(
                        "-v",
                        directory + ":/mnt/shared/config:ro",
                        "-e",
                        "KAFKA_NUM_PARTITIONS=5",
                        "-e",
                        "KAFKA_NO_SUCH_VARIABLE=1")
                .awaitReady()) {
            assertThat(broker.exec("kafka-configs", SERVER, "--broker", "1", "--describe", "--all"))
                    .contains("num.partitions=5", "auto.create.topics.enable=false");
            assertThat(broker.log()).containsOnlyOnce("no.such.key").containsOnlyOnce("no.such.variable");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BROKER://:9093,TC-0://localhost:19092,CONTROLLER://:9094,PLAINTEXT://:9092",
                "PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9094,TC-0://localhost:19092,BROKER://0.0.0.0:9093,",
            })
    void listenersComeInAnyOrderAndForm(String listeners) {
        try (Broker broker = Broker.runBare(
                        "-e", "KAFKA_LISTENERS=" + listeners,
                        "-e",
                                "KAFKA_ADVERTISED_LISTENERS="
                                        + "BROKER://inside:9093,TC-0://alias:19092,PLAINTEXT://outside:4711,",
                        "-e",
                                "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP="
                                        + "CONTROLLER:PLAINTEXT,TC-0:PLAINTEXT,BROKER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                        "-e", "KAFKA_CONTROLLER_LISTENER_NAMES=CONTROLLER",
                        "-e", "KAFKA_INTER_BROKER_LISTENER_NAME=BROKER")
                .awaitReady()) {
            assertThat(advertisedTo(broker, 9092)).startsWith("outside:4711 ");
            assertThat(advertisedTo(broker, 9093)).startsWith("inside:9093 ");
            assertThat(advertisedTo(broker, 19092)).startsWith("alias:19092 ");
            broker.exec("/opt/rivulet/bin/health");
        }
    }

    @Test
    void withoutListenersTheAdvertisedOnesAreUsed() {
        try (Broker broker = Broker.runBare("-e", "KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://elsewhere:9095")
                .awaitReady()) {
            assertThat(advertisedTo(broker, 9095)).startsWith("elsewhere:9095 ");
            broker.exec("/opt/rivulet/bin/health");
        }
    }

    private static String advertisedTo(Broker broker, int port) {
        return broker.exec("kafka-broker-api-versions", "--bootstrap-server", "localhost:" + port);
    }
}

package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.containers.Chart.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image in the place of Bitnami's. What each variable means is tested without containers. */
final class BitnamiIT {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "BITNAMI.md");

    @BeforeAll
    static void image() {
        Image.require();
    }

    /** The service of the compose file in the document, with its volume; ports are not published. */
    private static List<String> service(String volume) throws IOException {
        Matcher block = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
        assertThat(block.find()).isTrue();
        Node service = Chart.parse(block.group(1)).get(0).at("services", "kafka");
        List<String> options = new ArrayList<>();
        service.at("environment").elements().forEach(variable -> options.addAll(List.of("-e", variable.text())));
        service.at("volumes")
                .elements()
                .forEach(mount -> options.addAll(List.of("-v", mount.text().replace("kafka_data", volume))));
        return options;
    }

    @Test
    void theComposeFileOfTheDocumentKeepsItsRecords() throws IOException {
        String volume = "rivulet-bitnami-" + ProcessHandle.current().pid();
        String[] options = service(volume).toArray(String[]::new);
        try {
            try (Broker broker = Broker.runBare(options).awaitReady()) {
                assertThat(broker.exec(
                                "bash",
                                "-c",
                                "echo hello | /opt/bitnami/kafka/bin/kafka-console-producer.sh"
                                        + " --topic a --bootstrap-server localhost:9094"))
                        .isEmpty();
            }
            try (Broker broker = Broker.runBare(options).awaitReady()) {
                assertThat(broker.exec(
                                "kafka-console-consumer.sh",
                                "--bootstrap-server",
                                "localhost:9094",
                                "--topic",
                                "a",
                                "--from-beginning",
                                "--max-messages",
                                "1"))
                        .isEqualTo("hello\n");
                assertThat(broker.exec("kafka-broker-api-versions.sh", "--bootstrap-server", "localhost:9094"))
                        .startsWith("localhost:9094 (id: 0 ");
                broker.exec("/opt/rivulet/bin/health");
            }
        } finally {
            Shell.run("docker", "volume", "rm", volume);
        }
    }

    @Test
    void aMountedFileUsersAndTheScriptsWork(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("server.properties"), "num.partitions=3\nrivulet.http.listener=none\n");
        folder.toFile().setExecutable(true, false);
        Path secret = Files.writeString(folder.resolve("passwords"), "secret\n");
        String image = Image.require();
        String id = Shell.run(
                        "docker",
                        "run",
                        "-d",
                        "-v",
                        folder + ":/bitnami/kafka/config:ro",
                        "-e",
                        "KAFKA_CFG_LISTENERS=SASL_PLAINTEXT://:9092",
                        "-e",
                        "KAFKA_CFG_ADVERTISED_LISTENERS=SASL_PLAINTEXT://localhost:9092",
                        "-e",
                        "KAFKA_CLIENT_USERS=alice",
                        "-e",
                        "KAFKA_CLIENT_PASSWORDS_FILE=/bitnami/kafka/config/" + secret.getFileName(),
                        "-e",
                        "KAFKA_INTER_BROKER_USER=other",
                        image,
                        "/opt/bitnami/scripts/kafka/entrypoint.sh",
                        "/opt/bitnami/scripts/kafka/run.sh")
                .strip();
        try (Broker broker = Broker.of(id).awaitReady()) {
            String login = "security.protocol=SASL_PLAINTEXT\\nsasl.mechanism=PLAIN\\n"
                    + "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"
                    + " username=\"alice\" password=\"secret\";";
            assertThat(broker.exec(
                            "bash",
                            "-c",
                            "printf '" + login + "' >/tmp/login && kafka-configs.sh --describe --all"
                                    + " --broker 1 --bootstrap-server localhost:9092 --command-config /tmp/login"))
                    .contains(" num.partitions=3 ");
            assertThat(broker.log()).contains("have no effect: KAFKA_INTER_BROKER_USER.");
        }
    }

    @Test
    void usersWithoutPasswordsStopTheStart() {
        Shell.Outcome outcome =
                Shell.tryRun(Map.of(), "docker", "run", "--rm", "-e", "KAFKA_CLIENT_USERS=alice", Image.require());

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.out()).contains("KAFKA_CLIENT_PASSWORDS is '...'; allowed is a password for each name");
    }
}

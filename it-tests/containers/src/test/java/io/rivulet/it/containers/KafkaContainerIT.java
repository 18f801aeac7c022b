package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.Network;
import org.testcontainers.kafka.ConfluentKafkaContainer;
import org.testcontainers.kafka.KafkaContainer;

/** The official Testcontainers modules for Java, with the name of this image. */
final class KafkaContainerIT {
    private static final List<String> VALUES = List.of("one", "two", "three");

    @BeforeAll
    static void image() {
        Image.require();
    }

    @Test
    void theModuleForApacheKafkaTakesOurImage() throws Exception {
        try (KafkaContainer kafka = new KafkaContainer(Image.as("apache/kafka"))) {
            kafka.start();

            KafkaClients.produce(kafka.getBootstrapServers(), "numbers", Map.of(), VALUES);

            assertThat(KafkaClients.consume(kafka.getBootstrapServers(), "numbers", 3))
                    .isEqualTo(VALUES);
        }
    }

    @Test
    void theModuleForConfluentTakesOurImage() throws Exception {
        try (ConfluentKafkaContainer kafka = new ConfluentKafkaContainer(Image.as("confluentinc/cp-kafka"))) {
            kafka.start();

            KafkaClients.produce(kafka.getBootstrapServers(), "numbers", Map.of(), VALUES);

            assertThat(KafkaClients.consume(kafka.getBootstrapServers(), "numbers", 3))
                    .isEqualTo(VALUES);
        }
    }

    @Test
    void clientsGetTheAddressOfTheirListener() throws Exception {
        try (Network network = Network.newNetwork();
                KafkaContainer kafka = new KafkaContainer(Image.as("apache/kafka"))
                        .withNetwork(network)
                        .withNetworkAliases("kafka", "other-name")
                        .withListener("kafka:19092")
                        .withListener("other-name:19093")) {
            kafka.start();
            KafkaClients.produce(kafka.getBootstrapServers(), "numbers", Map.of(), VALUES);

            for (String listener : List.of("kafka:19092", "other-name:19093")) {
                assertThat(neighbour(network, "broker-api-versions", "--bootstrap-server", listener))
                        .startsWith(listener + " (id: 1 ");
                assertThat(neighbour(
                                network,
                                "console-consumer",
                                "--bootstrap-server",
                                listener,
                                "--topic",
                                "numbers",
                                "--from-beginning",
                                "--max-messages",
                                "3"))
                        .isEqualTo("one\ntwo\nthree\n");
            }
        }
    }

    /** The output of a command in its own container on that network. */
    private static String neighbour(Network network, String... command) {
        String[] all = new String[command.length + 7];
        List<String> docker = List.of("docker", "run", "--rm", "--network", network.getId(), Image.TAG, "rivulet");
        System.arraycopy(docker.toArray(String[]::new), 0, all, 0, docker.size());
        System.arraycopy(command, 0, all, docker.size(), command.length);
        return Shell.run(all);
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data directory of a running broker, or its lock, is removed: the broker ends and prints the cause. */
final class LostDirectoryIT {
    private static final TopicPartition PARTITION = new TopicPartition("kept", 0);
    private static final int IO_FAILURE = 74;

    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("rivulet-data");
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.start(directory, "--override=listeners=PLAINTEXT://localhost:0");
    }

    /** Produces until the broker ends. Returns the acknowledged values. */
    private static List<String> produceUntilItEnds(ServerProcess server, int port) throws Exception {
        List<String> acknowledged = new ArrayList<>();
        try (KafkaProducer<String, String> producer = Clients.producer(
                "localhost:" + port,
                Map.of(
                        // An idempotent producer that still waits for its id when the broker ends waits for ever.
                        "enable.idempotence",
                        false,
                        "delivery.timeout.ms",
                        1000,
                        "request.timeout.ms",
                        1000,
                        "linger.ms",
                        0,
                        "max.block.ms",
                        1000))) {
            while (server.isAlive()) {
                String value = "record " + acknowledged.size();
                try {
                    producer.send(new ProducerRecord<>(PARTITION.topic(), 0, null, value))
                            .get();
                    acknowledged.add(value);
                } catch (Exception e) {
                    assertThat(server.awaitEnd()).as(server.err()).isEqualTo(IO_FAILURE);
                }
            }
        }
        return acknowledged;
    }

    @Test
    void afterItsLockWasRemovedABrokerEndsBeforeAnotherOneWritesThere() throws Exception {
        try (ServerProcess first = start()) {
            int port = first.awaitReady();
            Files.delete(data().resolve("lock"));
            try (ServerProcess second = start()) {
                List<String> acknowledged = produceUntilItEnds(first, port);

                assertThat(first.err()).contains("rivulet: thread store-tick has failed", "was removed or replaced");
                assertThat(Clients.values(second.awaitReady(), PARTITION, acknowledged.size()))
                        .containsAll(acknowledged);
            }
        }
    }

    @Test
    void whenItsLogIsRemovedABrokerEndsAndAcknowledgesNothingMore() throws Exception {
        try (ServerProcess server = start()) {
            server.awaitReady();
            try (Stream<Path> segments = Files.list(data().resolve("log"))) {
                for (Path segment : segments.toList()) {
                    Files.delete(segment);
                }
            }
            assertThat(server.awaitEnd()).isEqualTo(IO_FAILURE);
            assertThat(server.err()).contains("rivulet: thread store-tick has failed", ".segment was removed");
        }
    }

    @Test
    void whenItsDirectoryIsMovedABrokerEndsAndPrintsIt() throws Exception {
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            Files.move(data(), directory.resolve("elsewhere"));
            List<String> acknowledged = produceUntilItEnds(server, port);

            assertThat(server.awaitEnd()).isEqualTo(IO_FAILURE);
            assertThat(server.err()).contains("rivulet: thread store-tick has failed", "was removed or replaced");
            Files.move(directory.resolve("elsewhere"), data());
            try (ServerProcess again = start()) {
                int againPort = again.awaitReady();
                assertThat(acknowledged.isEmpty()
                                || Clients.values(againPort, PARTITION, acknowledged.size())
                                        .containsAll(acknowledged))
                        .isTrue();
            }
        }
    }
}

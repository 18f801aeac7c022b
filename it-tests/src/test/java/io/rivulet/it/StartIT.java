package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts and ends of the broker's process. */
final class StartIT {
    private static final String ANY_PORT = "--override=listeners=PLAINTEXT://localhost:0";

    @TempDir
    private Path directory;

    @Test
    void sigtermEndsItWithZeroWithinSeconds() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, ANY_PORT)) {
            server.awaitReady();
            long startedNanos = System.nanoTime();

            server.terminate();

            assertThat(server.awaitEnd()).isZero();
            assertThat(System.nanoTime() - startedNanos).isLessThan(TimeUnit.SECONDS.toNanos(10));
            assertThat(directory.resolve("rivulet-data")).isDirectory();
        }
    }

    @Test
    void aSecondProcessOnTheSameDirectoryIsRefused() throws Exception {
        try (ServerProcess first = ServerProcess.start(directory, ANY_PORT)) {
            first.awaitReady();
            try (ServerProcess second = ServerProcess.start(directory, ANY_PORT)) {
                assertThat(second.awaitEnd()).isEqualTo(1);
                assertThat(second.err()).contains("rivulet-data is in use by another process");
            }
        }
    }

    @Test
    void aBadValueStopsTheStartAndPrintsTheAllowedValues() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, ANY_PORT, "--override=num.partitions=none")) {
            assertThat(server.awaitEnd()).isEqualTo(1);
            assertThat(server.err()).contains("num.partitions is 'none'; allowed is a whole number of 1 or more");
        }
    }

    /** Users and login modules are read by the broker itself. A supervisor must not start it again and again. */
    @ParameterizedTest
    @CsvSource({
        "rivulet.users=alice, rivulet.users is '...'; allowed is name:password",
        "rivulet.users=, sasl.jaas.config is ''; allowed is given",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config=no module, sasl.jaas.config is '...'; allowed is a login",
    })
    void wrongUsersStopTheStartToo(String override, String message) throws Exception {
        try (ServerProcess server = ServerProcess.start(
                directory,
                "--override=listeners=SASL_PLAINTEXT://localhost:0",
                "--override=sasl.enabled.mechanisms=PLAIN",
                "--override=" + override)) {
            assertThat(server.awaitEnd()).as(server.err()).isEqualTo(1);
            assertThat(server.err()).contains("the broker can't start: ", message);
        }
    }

    @Test
    void aPropertiesFileIsReadOverridesWinAndUnknownKeysArePrintedOnce() throws Exception {
        Path file = Files.writeString(
                directory.resolve("server.properties"),
                "listeners=PLAINTEXT://localhost:1\nnum.partitions=5\nprocess.roles=broker\n");
        try (ServerProcess server = ServerProcess.start(directory, file.toString(), ANY_PORT)) {
            int port = server.awaitReady();
            try (KafkaProducer<String, String> producer = producer(port)) {
                assertThat(producer.partitionsFor("five")).hasSize(5);
            }
            assertThat(server.err()).containsOnlyOnce("process.roles");
        }
    }

    /** Some codecs unpack a native library there. */
    @Test
    void withoutATemporaryDirectoryOnlySomeCodecsAreRefused() throws Exception {
        try (ServerProcess server =
                ServerProcess.in(directory).java("-Djava.io.tmpdir=/proc/none").start(ANY_PORT)) {
            int port = server.awaitReady();
            for (String codec : List.of("snappy", "zstd")) {
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> produce(port, "any", codec))
                            .hasCauseInstanceOf(UnsupportedCompressionTypeException.class)
                            .hasMessageContaining(codec + " because its library can't be unpacked to /proc/none");
                }
            }
            try (Admin admin = Clients.admin("localhost:" + port)) {
                admin.createTopics(List.of(new NewTopic("asks-for-zstd", 1, (short) 1)
                                .configs(Map.of("compression.type", "zstd"))))
                        .all()
                        .get();
            }
            assertThatThrownBy(() -> produce(port, "asks-for-zstd", "none"))
                    .hasCauseInstanceOf(UnsupportedCompressionTypeException.class);
            for (String codec : List.of("none", "gzip", "lz4")) {
                produce(port, "any", codec);
            }
            assertThat(server.err().lines().filter(line -> line.contains("Batches are refused")))
                    .hasSize(2);
        }
    }

    private static void produce(int port, String topic, String codec) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(
                "localhost:" + port,
                Map.of("compression.type", codec, "delivery.timeout.ms", 10_000, "request.timeout.ms", 9_000))) {
            producer.send(new ProducerRecord<>(topic, "x".repeat(1000))).get();
        }
    }

    private static KafkaProducer<String, String> producer(int port) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", "localhost:" + port), new StringSerializer(), new StringSerializer());
    }
}

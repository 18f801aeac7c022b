package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data directory with missing or damaged files: the broker refuses it and does not change it; the command repairs it.
 */
@Tag("faults")
final class SalvageIT {
    private static final String TOPIC = "records";
    private static final int VALUE_BYTES = 16_000;
    /** Enough for sweeps. With more than two segments of 128 MiB the log is trimmed too. */
    private static final int RECORDS = Integer.getInteger("rivulet.salvage.mib", 48) * (1 << 20) / VALUE_BYTES;

    private static final Path JAR = Path.of("..", "broker", "target", "rivulet.jar");

    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("rivulet-data");
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.start(
                directory,
                "--override=listeners=PLAINTEXT://localhost:0",
                // so small that there are block files
                "--override=rivulet.tail.bytes=" + (16 << 20));
    }

    /** Writes the records, and then ends the process with kill -9. */
    private void fill() throws Exception {
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", "localhost:" + port, "buffer.memory", 4 << 20),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                for (int number = 0; number < RECORDS; number++) {
                    producer.send(new ProducerRecord<>(TOPIC, null, value(number)));
                }
                producer.flush();
            }
            Awaitility.await()
                    .atMost(30, TimeUnit.SECONDS)
                    .until(() -> blockFiles().size() >= 2);
            server.kill();
        }
    }

    private static byte[] value(int number) {
        byte[] value = new byte[VALUE_BYTES];
        value[0] = (byte) (number >> 16);
        value[1] = (byte) (number >> 8);
        value[2] = (byte) number;
        return value;
    }

    private static int number(byte[] value) {
        return ((value[0] & 0xFF) << 16) | ((value[1] & 0xFF) << 8) | (value[2] & 0xFF);
    }

    private List<Path> blockFiles() throws IOException {
        Path blocks = data().resolve("blocks");
        if (!Files.isDirectory(blocks)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(blocks)) {
            return files.filter(file -> file.toString().endsWith(".blocks"))
                    .sorted()
                    .toList();
        }
    }

    /** Name, length and modification time of each file. */
    private Map<String, String> tree() throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> files = Files.walk(data())) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                tree.put(data().relativize(file).toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
        }
        tree.remove("lock");
        return tree;
    }

    private Programs.Outcome inspect(String... options) throws Exception {
        return Programs.run(
                directory,
                Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        "-jar",
                                        JAR.toAbsolutePath().normalize().toString(),
                                        "inspect"),
                                Stream.concat(Stream.of(options), Stream.of(data().toString())))
                        .toArray(String[]::new));
    }

    /** Consumes from the beginning. Returns the numbers of all records. */
    private List<Integer> numbers(int port) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", "localhost:" + port),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            assertThat(end).isEqualTo(RECORDS);
            List<Integer> numbers = new ArrayList<>();
            Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    assertThat(number(record.value())).isEqualTo((int) record.offset());
                    numbers.add((int) record.offset());
                }
                return consumer.position(partition) >= end;
            });
            return numbers;
        }
    }

    private void requireRefused(String... saying) throws Exception {
        Map<String, String> before = tree();
        try (ServerProcess server = start()) {
            assertThat(server.awaitEnd()).isEqualTo(1);
            assertThat(tree()).isEqualTo(before);
            assertThat(server.err()).contains(saying);
        }
    }

    private void requireAllThere() throws Exception {
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            assertThat(numbers(port)).hasSize(RECORDS);
        }
    }

    @Test
    void aDirectoryWithoutItsManifestIsNotChangedAndIsRepairedWithoutLoss() throws Exception {
        fill();
        Files.delete(data().resolve("log/manifest.snapshot"));

        requireRefused("manifest.snapshot is missing", "inspect --repair");
        Programs.Outcome inspected = inspect();
        Programs.Outcome repaired = inspect("--repair");

        assertThat(inspected.exitCode()).isEqualTo(1);
        assertThat(inspected.out()).contains("DAMAGED", "--repair rebuilds it from its copy");
        assertThat(repaired.exitCode()).as(repaired.out()).isZero();
        assertThat(repaired.out()).contains("manifest.snapshot was rebuilt", "verdict: sound");
        requireAllThere();
    }

    @Test
    void damagedBlockFilesAreRepairedFromIntactBlocksAndTheLog() throws Exception {
        fill();
        List<Path> files = blockFiles();
        Files.delete(files.get(0));
        Path second = files.get(1);
        byte[] content = Files.readAllBytes(second);
        Files.write(second, Arrays.copyOf(content, content.length / 2));

        requireRefused("blocks", "inspect --repair");
        Programs.Outcome repaired = inspect("--repair");

        assertThat(repaired.exitCode()).as(repaired.out()).isZero();
        assertThat(repaired.out()).contains("was written again", "were read from the log", "verdict: sound");
        assertThat(data().resolve("set-aside")).isDirectory();
        requireAllThere();
    }

    @Test
    void aRepairOfADirectoryInUseIsRefused() throws Exception {
        try (ServerProcess server = start()) {
            server.awaitReady();

            Programs.Outcome repaired = inspect("--repair");

            assertThat(repaired.exitCode()).isEqualTo(2);
            assertThat(repaired.err()).contains("in use");
        }
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, ending and killing the broker's process. */
final class StartIT {
    private static final String ANY_PORT = "--override=listeners=PLAINTEXT://localhost:0";
    private static final int KILLS = Integer.getInteger("rivulet.kills", 4);

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
    void aBadValueStopsTheStartAndSaysWhatIsAllowed() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, ANY_PORT, "--override=num.partitions=none")) {
            assertThat(server.awaitEnd()).isEqualTo(1);
            assertThat(server.err()).contains("num.partitions is 'none'; allowed is a whole number of 1 or more");
        }
    }

    @Test
    void aPropertiesFileIsReadOverridesWinAndUnknownKeysAreNamedOnce() throws Exception {
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

    /** Each round's producer is another, for sequences are not remembered over a restart. */
    @Test
    void killMinusNineLosesNothingThatWasAcknowledged() throws Exception {
        Set<String> acknowledged = new HashSet<>();
        for (int round = 0; round < KILLS; round++) {
            try (ServerProcess server = ServerProcess.start(directory, ANY_PORT)) {
                acknowledged.addAll(produceUntilKilled(server, "round-" + round));
            }
        }
        try (ServerProcess server = ServerProcess.start(directory, ANY_PORT)) {
            List<ConsumerRecord<String, String>> records = readAll(server.awaitReady());

            assertThat(records).extracting(ConsumerRecord::value).containsAll(acknowledged);
            for (int i = 0; i < records.size(); i++) {
                assertThat(records.get(i).offset()).isEqualTo(i);
            }
        }
    }

    /** Answers what was acknowledged before the kill. */
    private static Set<String> produceUntilKilled(ServerProcess server, String round) throws Exception {
        ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
        KafkaProducer<String, String> producer = producer(server.awaitReady());
        try {
            for (int i = 0; acknowledged.size() < 2000; i++) {
                String value = round + "-" + i;
                Future<?> unused =
                        producer.send(new ProducerRecord<>("survivors", 0, null, value), (metadata, failure) -> {
                            if (failure == null) {
                                acknowledged.add(value);
                            }
                        });
            }
            server.kill();
        } finally {
            producer.close(Duration.ZERO);
        }
        return Set.copyOf(acknowledged);
    }

    private static List<ConsumerRecord<String, String>> readAll(int port) {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", "localhost:" + port));
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition("survivors", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return records.size() >= end;
            });
            return records;
        }
    }

    private static KafkaProducer<String, String> producer(int port) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", "localhost:" + port), new StringSerializer(), new StringSerializer());
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 in a loop under load, with one idempotent producer for all rounds. {@code -Drivulet.kills=1000} for more
 * rounds.
 */
@Tag("faults")
final class KillIT {
    private static final int KILLS = Integer.getInteger("rivulet.kills", 20);
    private static final int PARTITIONS = 3;
    private static final String TOPIC = "survivors";
    /** The minimum number of acknowledged records before each kill. */
    private static final int ACKNOWLEDGED_PER_ROUND = 300;

    @TempDir
    private Path directory;

    @Test
    void noAcknowledgedRecordIsLostAndNoneIsDuplicated() throws Exception {
        ServerProcess server = start(Ports.free());
        int port = server.awaitReady();
        Load load = new Load(port);
        Thread thread = new Thread(load, "load");
        thread.start();
        try {
            for (int round = 0; round < KILLS; round++) {
                load.awaitMoreAcknowledged(ACKNOWLEDGED_PER_ROUND);
                server.kill();
                server = start(port);
                assertThat(server.awaitReady()).isEqualTo(port);
            }
            load.stop();
            thread.join(Clients.PATIENCE.toMillis());
            load.requireDone();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                requireEachOnceAndInOrder(readAll(port, partition), load, partition);
            }
        } finally {
            load.stop();
            server.close();
        }
    }

    private ServerProcess start(int port) throws Exception {
        return ServerProcess.start(
                directory,
                "--override=listeners=PLAINTEXT://localhost:" + port,
                "--override=num.partitions=" + PARTITIONS,
                // so small that there are sweeps and checkpoints
                "--override=rivulet.tail.bytes=" + (16 << 20));
    }

    private static void requireEachOnceAndInOrder(
            List<ConsumerRecord<String, String>> records, Load load, int partition) {
        long sent = load.sent(partition);
        assertThat(records).hasSize((int) sent);
        for (int i = 0; i < sent; i++) {
            String value = Load.value(partition, i);
            assertThat(records.get(i).value()).isEqualTo(value);
            assertThat(records.get(i).offset()).isEqualTo(i);
            assertThat(load.acknowledgedOffset(value)).isEqualTo(i);
        }
    }

    private static List<ConsumerRecord<String, String>> readAll(int port, int number) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", "localhost:" + port), new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(TOPIC, number);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return records.size() >= end;
            });
            return records;
        }
    }

    /** Sends numbers to the partitions in turn, and records the offset of each acknowledgement. */
    private static final class Load implements Runnable {
        private static final int MAX_UNACKNOWLEDGED = 2000;
        /**
         * The key of each record, so long that each batch has one record and all together fill the broker's tail a few
         * times.
         */
        private static final String PADDING = "x".repeat(4000);

        private final KafkaProducer<String, String> producer;
        private final AtomicLong sent = new AtomicLong();
        private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        private final AtomicBoolean stopped = new AtomicBoolean();

        Load(int port) {
            producer = new KafkaProducer<>(
                    Map.of(
                            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                            "localhost:" + port,
                            ProducerConfig.BATCH_SIZE_CONFIG,
                            500,
                            ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG,
                            20,
                            ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                            100,
                            ProducerConfig.RETRY_BACKOFF_MS_CONFIG,
                            20,
                            ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG,
                            100),
                    new StringSerializer(),
                    new StringSerializer());
        }

        static String value(int partition, long number) {
            return partition + "-" + number;
        }

        @Override
        public void run() {
            try (producer) {
                while (!stopped.get() && failure.get() == null) {
                    Awaitility.await()
                            .atMost(Clients.PATIENCE)
                            .pollInterval(Duration.ofMillis(1))
                            .until(() -> sent.get() - acknowledged.size() < MAX_UNACKNOWLEDGED);
                    send(sent.getAndIncrement());
                }
            } catch (RuntimeException e) {
                failure.compareAndSet(null, e);
            }
        }

        private void send(long number) {
            int partition = (int) (number % PARTITIONS);
            String value = value(partition, number / PARTITIONS);
            Future<?> unused =
                    producer.send(new ProducerRecord<>(TOPIC, partition, PADDING, value), (metadata, failed) -> {
                        if (failed != null) {
                            failure.compareAndSet(null, failed);
                        } else {
                            acknowledged.put(value, metadata.offset());
                        }
                    });
        }

        void awaitMoreAcknowledged(int more) {
            int wanted = acknowledged.size() + more;
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> acknowledged.size() >= wanted || failure.get() != null);
            requireNoFailure();
        }

        void stop() {
            stopped.set(true);
        }

        void requireDone() {
            requireNoFailure();
            assertThat(acknowledged).hasSize((int) sent.get());
        }

        private void requireNoFailure() {
            assertThat(failure.get()).as("failure of the producer").isNull();
        }

        long sent(int partition) {
            return (sent.get() - partition + PARTITIONS - 1) / PARTITIONS;
        }

        long acknowledgedOffset(String value) {
            return acknowledged.getOrDefault(value, -1L);
        }
    }
}

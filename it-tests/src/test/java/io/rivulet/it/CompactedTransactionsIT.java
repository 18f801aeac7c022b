package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same transactions in a compacted topic and in one that keeps everything, so all offsets are the same. A consumer
 * with read_committed compares them before, while and after the first is compacted. {@code -Drivulet.seed=N} repeats a
 * run.
 */
@SeveralBrokers
final class CompactedTransactionsIT {
    private static final TopicPartition TABLE = new TopicPartition("table", 0);
    private static final TopicPartition WHOLE = new TopicPartition("whole", 0);
    private static final int WRITERS = 3;
    private static final int KEYS = 6;
    private static final int ROUNDS = 3;
    private static final int STEPS = 60;

    /** Compacts each second. */
    private static final Map<String, String> EAGER = Map.of(
            "rivulet.create.topics", "table:1:1:compact,whole:1",
            "log.cleaner.min.cleanable.ratio", "0.01",
            "log.roll.ms", "1",
            "log.cleaner.backoff.ms", "100",
            "log.cleaner.delete.retention.ms", "100");

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private int written;

    @TempDir
    private Path directory;

    /** Immutable. */
    private record Read(long offset, String key, @Nullable String value) {}

    private static final class Writer {
        private final KafkaProducer<String, String> producer;
        private boolean open;

        Writer(KafkaProducer<String, String> producer) {
            this.producer = producer;
        }

        void end(boolean commit) {
            if (open && commit) {
                producer.commitTransaction();
            } else if (open) {
                producer.abortTransaction();
            }
            open = false;
        }
    }

    @Test
    void aCompactedTopicHasTheCommittedRecordsOfTheWholeOne() throws Exception {
        try (TestBroker broker = TestBroker.start(directory, EAGER)) {
            List<Writer> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(new Writer(Clients.producer(broker, Map.of("transactional.id", "writer" + i))));
                writers.get(i).producer.initTransactions();
            }
            try (KafkaProducer<String, String> plain = Clients.producer(broker, Map.of())) {
                for (int round = 0; round < ROUNDS; round++) {
                    write(writers, plain);
                    awaitCompaction(broker);
                }
            }
            writers.forEach(writer -> writer.producer.close());
        }
        try (TestBroker broker = TestBroker.start(directory, EAGER)) {
            compare(broker);
        }
    }

    private void write(List<Writer> writers, KafkaProducer<String, String> plain) throws Exception {
        for (int step = 0; step < STEPS; step++) {
            Writer writer = writers.get(random.nextInt(WRITERS));
            int choice = random.nextInt(10);
            if (choice < 2) {
                send(plain);
            } else if (choice < 8) {
                if (!writer.open) {
                    writer.producer.beginTransaction();
                    writer.open = true;
                }
                send(writer.producer);
            } else {
                writer.end(choice == 8);
            }
        }
        for (Writer writer : writers) {
            writer.end(random.nextBoolean());
        }
        send(plain);
    }

    private void send(KafkaProducer<String, String> producer) throws Exception {
        String key = "key" + random.nextInt(KEYS);
        String value = random.nextInt(5) == 0 ? null : "value" + written++;
        for (TopicPartition to : List.of(TABLE, WHOLE)) {
            producer.send(new ProducerRecord<>(to.topic(), to.partition(), key, value))
                    .get();
        }
    }

    /** Waits until one record of each key is left at most, besides the last of all, and no aborted transaction. */
    private void awaitCompaction(TestBroker broker) throws IOException {
        try (RawTransactions reader =
                new RawTransactions(broker.addresses().get(0).getPort(), "none", 0)) {
            await().atMost(Clients.PATIENCE)
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> {
                        assertThat(compare(broker)).as("seed %d", seed).isLessThanOrEqualTo(KEYS + 1);
                        assertThat(reader.listedAsAborted(TABLE.topic(), 1 << 20))
                                .as("seed %d", seed)
                                .isZero();
                    });
        }
    }

    /** Fails with an exception that no retry hides, if the topics differ. Returns the records of the compacted one. */
    private int compare(TestBroker broker) {
        List<Read> table = read(broker, TABLE);
        List<Read> whole = read(broker, WHOLE);
        if (!whole.containsAll(table) || !fold(table).equals(fold(whole))) {
            throw new IllegalStateException("seed " + seed + ": " + table + " is left of " + whole);
        }
        return table.size();
    }

    private static List<Read> read(TestBroker broker, TopicPartition from) {
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer(broker, Map.of("isolation.level", "read_committed"))) {
            consumer.assign(List.of(from));
            consumer.seekToBeginning(List.of(from));
            long end = consumer.endOffsets(List.of(from)).get(from);
            List<Read> records = new ArrayList<>();
            await().atMost(Clients.PATIENCE).until(() -> {
                for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofMillis(50))) {
                    records.add(new Read(one.offset(), one.key(), one.value()));
                }
                return consumer.position(from) >= end;
            });
            return records;
        }
    }

    private static Map<String, String> fold(List<Read> records) {
        Map<String, String> last = new TreeMap<>();
        for (Read record : records) {
            if (record.value == null) {
                last.remove(record.key);
            } else {
                last.put(record.key, record.value);
            }
        }
        return last;
    }
}

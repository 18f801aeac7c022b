package io.rivulet.prove.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.load.TxnHistory.Fate;
import io.rivulet.prove.load.TxnHistory.Read;
import io.rivulet.prove.load.TxnHistory.Txn;
import io.rivulet.prove.load.TxnHistory.Write;
import io.rivulet.prove.process.BrokerProcess;
import io.rivulet.store.faults.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 in a loop during transactions: of writers that commit, abort and end without either; of a copier that reads
 * committed values, writes them again and commits its offsets in the same transaction; and a reader. {@code
 * -Drivulet.kills=100} for more rounds.
 */
final class TxnKillIT {
    private static final int KILLS = Integer.getInteger("rivulet.kills", 20);
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final int PARTITIONS = 3;
    private static final int WRITERS = 2;
    private static final int ENDS_PER_ROUND = 8;
    private static final String IN = "in";
    private static final String OUT = "out";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    private final TxnHistory history = new TxnHistory();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger writing = new AtomicInteger(WRITERS);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private int port;

    @Test
    void transactionsAreCompleteAndEachValueIsThereOnce() throws Exception {
        port = Ports.free();
        BrokerProcess broker = start();
        broker.awaitReady();
        Random random = new Random(SEED);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            String name = "w" + i;
            Random own = new Random(random.nextLong());
            threads.add(run(() -> write(name, own)));
        }
        threads.add(run(() -> carry(IN, OUT)));
        threads.add(run(this::readAlong));
        try {
            for (int round = 0; round < KILLS; round++) {
                awaitMoreEnds(1 + random.nextInt(2 * ENDS_PER_ROUND));
                broker.kill();
                broker.close();
                broker = start();
                assertThat(broker.awaitReady()).isEqualTo(port);
            }
            stopped.set(true);
            for (Thread thread : threads) {
                thread.join(PATIENCE.toMillis());
            }
            assertThat(failure.get()).as("seed %d", SEED).isNull();
            requireAllIsWell();
        } finally {
            stopped.set(true);
            broker.close();
        }
    }

    private void requireAllIsWell() {
        Map<Integer, List<Read>> in = readAll(IN);
        in.forEach(history::read);
        assertThat(history.violations()).as("seed %d", SEED).isEmpty();
        assertThat(history.count(Fate.COMMITTED)).isPositive();
        assertThat(history.count(Fate.ABORTED)).isPositive();
        Map<Integer, List<Read>> out = readAll(OUT);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(values(requireNonNull(out.get(partition))))
                    .as("copied values, seed %d", SEED)
                    .isEqualTo(values(requireNonNull(in.get(partition))));
        }
    }

    private static List<String> values(List<Read> reads) {
        return reads.stream().map(Read::value).toList();
    }

    private BrokerProcess start() throws Exception {
        return BrokerProcess.start(
                directory,
                List.of("-Xmx256m"),
                Map.of(),
                Map.of(
                        "listeners",
                        "PLAINTEXT://localhost:" + port,
                        "log.dirs",
                        directory.resolve("data").toString(),
                        "num.partitions",
                        String.valueOf(PARTITIONS),
                        "rivulet.tail.bytes",
                        String.valueOf(16 << 20)));
    }

    private interface Work {
        void run() throws Exception;
    }

    private Thread run(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception | AssertionError e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.start();
        return thread;
    }

    private void awaitMoreEnds(int more) {
        int wanted = ends.get() + more;
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> ends.get() >= wanted || failure.get() != null);
        assertThat(failure.get()).as("seed %d", SEED).isNull();
    }

    // ---- writers ----

    private KafkaProducer<String, String> producer(String transactionalId) {
        KafkaProducer<String, String> producer = Clients.producer(port, Map.of("transactional.id", transactionalId));
        producer.initTransactions();
        return producer;
    }

    private void write(String name, Random random) {
        KafkaProducer<String, String> producer = producer(name);
        for (int number = 0; !stopped.get(); number++) {
            List<Write> writes = new ArrayList<>();
            Fate fate = Fate.UNKNOWN;
            boolean dies = false;
            try {
                producer.beginTransaction();
                for (int i = 1 + random.nextInt(10); i > 0; i--) {
                    Write write = new Write(name + "-" + number + "-" + i, random.nextInt(PARTITIONS));
                    writes.add(write);
                    var unused = producer.send(new ProducerRecord<>(IN, write.partition(), "", write.value()));
                }
                TxnEnd end = TxnEnd.atRandom(producer, random);
                dies = end == TxnEnd.LEFT_OPEN;
                fate = end.fate();
            } catch (KafkaException e) {
                dies = true;
            }
            history.add(new Txn(name, fate, writes));
            ends.incrementAndGet();
            if (dies) {
                producer.close(Duration.ZERO);
                producer = producer(name);
            }
        }
        producer.close();
        writing.decrementAndGet();
    }

    // ---- the copier ----

    private KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "earliest");
        return Clients.consumer(port, settings);
    }

    private void carry(String from, String to) {
        boolean done = false;
        while (!done) {
            try (KafkaConsumer<String, String> consumer = consumer(Map.of("group.id", "carrier"));
                    KafkaProducer<String, String> producer = producer("carrier")) {
                consumer.assign(Clients.partitions(from, PARTITIONS));
                while (!done) {
                    boolean last = writing.get() == 0;
                    done = carrySome(consumer, producer, to) == 0 && last && isAtEnd(consumer);
                }
            } catch (KafkaException e) {
                done = false; // continue at the committed offsets
            }
        }
    }

    private static boolean isAtEnd(KafkaConsumer<String, String> consumer) {
        return consumer.endOffsets(consumer.assignment()).entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static int carrySome(
            KafkaConsumer<String, String> consumer, KafkaProducer<String, String> producer, String to) {
        ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
        if (records.isEmpty()) {
            return 0;
        }
        producer.beginTransaction();
        for (ConsumerRecord<String, String> one : records) {
            var unused = producer.send(new ProducerRecord<>(to, one.partition(), "", one.value()));
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        records.partitions()
                .forEach(partition -> offsets.put(partition, new OffsetAndMetadata(consumer.position(partition))));
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
        producer.commitTransaction();
        return records.count();
    }

    // ---- readers ----

    private void readAlong() {
        Map<Integer, List<Read>> seen = new HashMap<>();
        try (KafkaConsumer<String, String> consumer = consumer(Map.of())) {
            consumer.assign(Clients.partitions(IN, PARTITIONS));
            consumer.seekToBeginning(consumer.assignment());
            while (!stopped.get()) {
                add(consumer.poll(Duration.ofMillis(100)), seen);
            }
        }
        history.readEarlier(seen);
    }

    private static void add(ConsumerRecords<String, String> records, Map<Integer, List<Read>> seen) {
        for (ConsumerRecord<String, String> one : records) {
            seen.computeIfAbsent(one.partition(), partition -> new ArrayList<>())
                    .add(new Read(one.offset(), one.value()));
        }
    }

    private Map<Integer, List<Read>> readAll(String topic) {
        return Clients.readAll(port, Clients.partitions(topic, PARTITIONS), "read_committed").stream()
                .collect(Collectors.groupingBy(
                        ConsumerRecord::partition,
                        Collectors.mapping(one -> new Read(one.offset(), one.value()), Collectors.toList())));
    }
}

package io.rivulet.bench.hostile;

import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.Topics;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;

/**
 * A Java producer with a fixed rate, and a group of one Java consumer, both with default settings. The partition of
 * record {@code n} is {@code n % PARTITIONS}.
 *
 * <p>Thread-safe: each thread owns its client, and shared state is concurrent.
 */
final class GoodClient implements AutoCloseable {
    static final String TOPIC = "good";
    static final String GROUP = "good";
    static final int PARTITIONS = 3;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long COMMIT_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CATCH_UP_MILLIS = TimeUnit.MINUTES.toMillis(2);

    private final Map<String, Object> settings;
    private final long betweenRecordsNanos;
    private final Recorder produced = Latency.recorder();
    private final Recorder delivered = Latency.recorder();
    private final Recorder committed = Latency.recorder();
    private final ConcurrentHashMap<Long, Long> sentNanos = new ConcurrentHashMap<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong notAcknowledged = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong failedCommits = new AtomicLong();
    private final BitSet seen = new BitSet();
    private final Thread producing = new Thread(this::produce, "good-producer");
    private final Thread consuming = new Thread(this::consume, "good-consumer");
    private volatile boolean produces = true;
    private volatile boolean consumes = true;

    GoodClient(RunningBroker broker, int recordsPerSecond) {
        settings = new HashMap<>(Topics.settings(broker));
        betweenRecordsNanos = TimeUnit.SECONDS.toNanos(1) / recordsPerSecond;
        producing.setDaemon(true);
        consuming.setDaemon(true);
        consuming.start();
        producing.start();
    }

    private void produce() {
        try (KafkaProducer<Long, Long> producer =
                new KafkaProducer<>(settings, new LongSerializer(), new LongSerializer())) {
            long nextNanos = System.nanoTime();
            while (produces) {
                send(producer, sent.getAndIncrement());
                nextNanos += betweenRecordsNanos;
                LockSupport.parkNanos(nextNanos - System.nanoTime());
            }
        }
    }

    private void send(KafkaProducer<Long, Long> producer, long number) {
        long startNanos = System.nanoTime();
        sentNanos.put(number, startNanos);
        producer.send(new ProducerRecord<>(TOPIC, (int) (number % PARTITIONS), number, number), (metadata, failed) -> {
            produced.recordValue(System.nanoTime() - startNanos);
            (failed == null ? acknowledged : notAcknowledged).incrementAndGet();
        });
    }

    private void consume() {
        Map<String, Object> mine = new HashMap<>(settings);
        mine.put("group.id", GROUP);
        mine.put("auto.offset.reset", "earliest");
        mine.put("enable.auto.commit", false);
        try (KafkaConsumer<Long, Long> consumer =
                new KafkaConsumer<>(mine, new LongDeserializer(), new LongDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            long commitNanos = System.nanoTime() + COMMIT_EVERY_NANOS;
            while (consumes) {
                consumer.poll(POLL).forEach(this::note);
                if (System.nanoTime() > commitNanos) {
                    commit(consumer);
                    commitNanos = System.nanoTime() + COMMIT_EVERY_NANOS;
                }
            }
        }
    }

    private void commit(KafkaConsumer<Long, Long> consumer) {
        long startNanos = System.nanoTime();
        try {
            consumer.commitSync();
        } catch (CommitFailedException | TimeoutException e) {
            failedCommits.incrementAndGet();
        }
        committed.recordValue(System.nanoTime() - startNanos);
    }

    private synchronized void note(ConsumerRecord<Long, Long> record) {
        int number = Math.toIntExact(record.value());
        if (seen.get(number)) {
            duplicates.incrementAndGet();
        }
        seen.set(number);
        Long startNanos = sentNanos.remove(record.value());
        if (startNanos != null) {
            delivered.recordValue(System.nanoTime() - startNanos);
        }
    }

    private synchronized long received() {
        return seen.cardinality();
    }

    /**
     * Stops producing, waits at most two minutes until all acknowledged records are consumed, and closes the clients.
     */
    void finish() throws InterruptedException {
        produces = false;
        producing.join(CATCH_UP_MILLIS);
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CATCH_UP_MILLIS);
        while (received() < acknowledged.get() && System.nanoTime() < untilNanos) {
            LockSupport.parkNanos(POLL.toNanos());
        }
        close();
        consuming.join(CATCH_UP_MILLIS);
    }

    /** Reads the topic from the beginning. Returns the number of acknowledged records that are missing. */
    long lostAfterRestart(RunningBroker broker) {
        BitSet found = new BitSet();
        try (KafkaConsumer<Long, Long> consumer =
                new KafkaConsumer<>(Topics.settings(broker), new LongDeserializer(), new LongDeserializer())) {
            List<TopicPartition> all =
                    List.of(new TopicPartition(TOPIC, 0), new TopicPartition(TOPIC, 1), new TopicPartition(TOPIC, 2));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
                consumer.poll(POLL).forEach(record -> found.set(Math.toIntExact(record.value())));
            }
        }
        return acknowledged.get() - found.cardinality();
    }

    Latency produced() {
        return Latency.of(produced);
    }

    Latency delivered() {
        return Latency.of(delivered);
    }

    Latency committed() {
        return Latency.of(committed);
    }

    long acknowledged() {
        return acknowledged.get();
    }

    long notAcknowledged() {
        return notAcknowledged.get();
    }

    long notReceived() {
        return acknowledged.get() - received();
    }

    long duplicates() {
        return duplicates.get();
    }

    long failedCommits() {
        return failedCommits.get();
    }

    @Override
    public void close() {
        produces = false;
        consumes = false;
    }
}

package io.rivulet.bench.takeover;

import io.rivulet.bench.lab.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A producer of Kafka with its own settings, idempotent and acks=all, that sends a record every ten milliseconds. Its
 * acknowledgements show how long the cluster does not answer. One thread sends; any thread asks.
 */
final class LightLoad implements AutoCloseable {
    static final String TOPIC = "light";
    static final int PARTITIONS = 3;

    private static final long INTERVAL_NANOS = 10_000_000;
    private static final int VALUE_BYTES = 58;

    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread sender = new Thread(this::send, "light-load");
    private final LongAdder failed = new LongAdder();
    private volatile boolean closed;

    // Guarded by this: times of acknowledgements since the beginning of a round, and when the last one was sent.
    private final List<Long> acknowledgedNanos = new ArrayList<>();
    private long lastSentNanos;

    /** @param servers of all brokers */
    LightLoad(String servers) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer());
        lastSentNanos = System.nanoTime();
        sender.start();
    }

    private void send() {
        byte[] value = new byte[VALUE_BYTES];
        long dueNanos = System.nanoTime();
        for (int i = 0; !closed; i++) {
            Await.nanoTime(dueNanos);
            long now = System.nanoTime();
            producer.send(
                    new ProducerRecord<>(TOPIC, i % PARTITIONS, null, value),
                    (metadata, failure) -> ended(now, failure));
            dueNanos = Math.max(dueNanos + INTERVAL_NANOS, System.nanoTime() - INTERVAL_NANOS);
        }
    }

    private synchronized void ended(long sentNanos, @Nullable Exception failure) {
        if (failure != null) {
            failed.increment();
            return;
        }
        acknowledgedNanos.add(System.nanoTime());
        lastSentNanos = Math.max(lastSentNanos, sentNanos);
    }

    /** Begins a round now. */
    synchronized long begin() {
        long now = System.nanoTime();
        acknowledgedNanos.clear();
        acknowledgedNanos.add(now);
        return now;
    }

    /** Whether a record that was sent later than this is acknowledged. */
    synchronized boolean isAcknowledged(long nanos) {
        return lastSentNanos - nanos > 0;
    }

    /** When the longest time without an acknowledgement of this round was over. */
    synchronized long goesOnNanos() {
        return endOfLongestGap(acknowledgedNanos);
    }

    /** @param times in order, at least one */
    static long endOfLongestGap(List<Long> times) {
        int longest = 0;
        for (int i = 1; i < times.size(); i++) {
            if (longest == 0 || times.get(i) - times.get(i - 1) > times.get(longest) - times.get(longest - 1)) {
                longest = i;
            }
        }
        return times.get(longest);
    }

    /** Records that will never be acknowledged. */
    long failed() {
        return failed.sum();
    }

    @Override
    public void close() {
        closed = true;
        try {
            sender.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ofSeconds(1));
    }
}

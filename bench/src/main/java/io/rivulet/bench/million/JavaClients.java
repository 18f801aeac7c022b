package io.rivulet.bench.million;

import io.rivulet.bench.versus.RunningBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Java producers with default settings, and a group of Java consumers that verifies what they wrote.
 *
 * <p>A Java producer copies a map of all partitions it has ever written to at each new one, so its cost grows with their square: each
 * of ours has its share of the queues.
 */
final class JavaClients {
    private static final int MESSAGES_PER_QUEUE = 10;
    private static final int VALUE_BYTES = 58;
    private static final int QUEUES_PER_PRODUCER = 10_000;
    private static final int PRODUCERS_AT_ONCE = 2;
    private static final int MEMBERS = 4;
    private static final int RECORDS_AT_ONCE = 20_000;
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final long SILENCE_NANOS = 300_000_000_000L;

    private final RunningBroker broker;
    private final Layout layout;
    private final int queues;
    private final Figures figures;

    JavaClients(RunningBroker broker, Layout layout, int queues, Figures figures) {
        this.broker = broker;
        this.layout = layout;
        this.queues = queues;
        this.figures = figures;
    }

    void run() throws IOException, InterruptedException {
        double produceSeconds = produce();
        double all = (double) queues * MESSAGES_PER_QUEUE;
        figures.plain("Java producers with default settings, 10 messages to each queue", "s", produceSeconds);
        figures.plain("  that is", "messages/s", all / produceSeconds);
        double consumeSeconds = consume();
        figures.plain("a group of " + MEMBERS + " Java consumers joins, reads and verifies all", "s", consumeSeconds);
        figures.plain("  that is", "messages/s", all / consumeSeconds);
        figures.plain("RSS after that", "MB", Memory.megabytes(broker));
    }

    // ---- producing ----

    private double produce() throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        AtomicLong next = new AtomicLong();
        Threads.run(PRODUCERS_AT_ONCE, number -> {
            for (long first = next.getAndAdd(QUEUES_PER_PRODUCER);
                    first < queues;
                    first = next.getAndAdd(QUEUES_PER_PRODUCER)) {
                produce((int) first, (int) Math.min(queues, first + QUEUES_PER_PRODUCER));
            }
        });
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private void produce(int from, int to) throws IOException {
        Map<String, Object> settings = Map.of("bootstrap.servers", "localhost:" + broker.port());
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int queue = from; queue < to; queue++) {
                for (int i = 0; i < MESSAGES_PER_QUEUE; i++) {
                    producer.send(
                            new ProducerRecord<>(layout.topic(queue), layout.partition(queue), null, value(queue, i)),
                            (metadata, failed) -> failure.compareAndSet(null, failed));
                }
            }
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw new IOException("a message was not taken: " + failed.getMessage(), failed);
        }
    }

    private static byte[] value(int queue, int number) {
        return ByteBuffer.allocate(VALUE_BYTES).putInt(queue).putInt(number).array();
    }

    // ---- consuming ----

    private double consume() throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        AtomicLong left = new AtomicLong((long) queues * MESSAGES_PER_QUEUE);
        AtomicLong lastNanos = new AtomicLong(startNanos);
        // Of each queue how many have come; a queue is one member's at a time.
        byte[] come = new byte[queues];
        Threads.run(MEMBERS, member -> {
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(consumerSettings(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                consumer.subscribe(topics(member));
                while (left.get() > 0) {
                    int count = 0;
                    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(PATIENCE)) {
                        verify(message, come);
                        count++;
                    }
                    left.addAndGet(-count);
                    watch(count, lastNanos, left.get());
                }
            }
        });
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private Map<String, Object> consumerSettings() {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", "localhost:" + broker.port()));
        settings.put("group.id", "all-of-them");
        settings.put("auto.offset.reset", "earliest");
        settings.put("max.poll.records", RECORDS_AT_ONCE);
        // Six metrics of each partition would be registered as beans, one by one.
        settings.put("metric.reporters", "");
        return settings;
    }

    /** Of a million topics each member wants its share, for no Java client likes to know a million. */
    private List<String> topics(int member) {
        return layout == Layout.ONE_TOPIC
                ? List.of(layout.topic(0))
                : IntStream.range(0, queues)
                        .filter(queue -> queue % MEMBERS == member)
                        .mapToObj(layout::topic)
                        .toList();
    }

    private void verify(ConsumerRecord<byte[], byte[]> message, byte[] come) {
        int queue = layout.queue(message.topic(), message.partition());
        ByteBuffer value = ByteBuffer.wrap(message.value());
        if (value.getInt() != queue || value.getInt() != come[queue] || message.offset() != come[queue]) {
            throw new IllegalStateException("queue " + queue + " should have its message " + come[queue]
                    + ", but at offset " + message.offset() + " there is another");
        }
        come[queue]++;
    }

    private static void watch(int count, AtomicLong lastNanos, long left) {
        long now = System.nanoTime();
        if (count > 0) {
            lastNanos.set(now);
        } else if (now - lastNanos.get() > SILENCE_NANOS) {
            throw new IllegalStateException(left + " messages have not come");
        }
    }
}

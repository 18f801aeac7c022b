package io.rivulet.it;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** A consumer that polls on its own thread, as a member of a group, until it is closed. */
final class GroupMember implements AutoCloseable {
    final ConcurrentLinkedQueue<String> values = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile Set<String> assignment = Set.of();
    private volatile int generation;
    private volatile Throwable failure;
    private volatile boolean closed;

    /** @param subscribe subscribes the consumer */
    GroupMember(
            TestBroker broker,
            String group,
            Map<String, Object> settings,
            Consumer<KafkaConsumer<String, String>> subscribe) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "group.id", group,
                "auto.offset.reset", "earliest",
                "metadata.max.age.ms", "500",
                "session.timeout.ms", "3000",
                "heartbeat.interval.ms", "200"));
        all.putAll(settings);
        KafkaConsumer<String, String> consumer = Clients.consumer(broker, all);
        thread = new Thread(() -> run(consumer, subscribe), "member of " + group);
        thread.start();
    }

    private void run(KafkaConsumer<String, String> consumer, Consumer<KafkaConsumer<String, String>> subscribe) {
        try (consumer) {
            subscribe.accept(consumer);
            while (!closed) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(50))) {
                    values.add(record.value());
                }
                Set<String> now = new TreeSet<>();
                consumer.assignment().stream().map(TopicPartition::toString).forEach(now::add);
                assignment = now;
                generation = consumer.groupMetadata().generationId();
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    Set<String> assignment() {
        if (failure != null) {
            throw new AssertionError("a member failed", failure);
        }
        return assignment;
    }

    int generation() {
        return generation;
    }

    /** The failure of the thread, or null. */
    Throwable failure() {
        return failure;
    }

    /** Leaves the group, unless its settings prevent it. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the member has ended", e);
        }
    }
}

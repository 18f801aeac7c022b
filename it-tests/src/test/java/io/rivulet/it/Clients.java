package io.rivulet.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's own clients with default settings, except those that a test sets. */
public final class Clients {
    /** The timeout of all waits; long enough for a slow machine. */
    public static final Duration PATIENCE = Duration.ofMinutes(3);

    private Clients() {}

    public static KafkaProducer<String, String> producer(TestBroker broker, Map<String, Object> settings) {
        return producer(broker.bootstrapServers(), settings);
    }

    public static KafkaProducer<String, String> producer(String servers, Map<String, Object> settings) {
        return new KafkaProducer<>(with(servers, settings), new StringSerializer(), new StringSerializer());
    }

    public static KafkaConsumer<String, String> consumer(TestBroker broker, Map<String, Object> settings) {
        return consumer(broker.bootstrapServers(), settings);
    }

    public static KafkaConsumer<String, String> consumer(String servers, Map<String, Object> settings) {
        return new KafkaConsumer<>(with(servers, settings), new StringDeserializer(), new StringDeserializer());
    }

    public static Admin admin(TestBroker broker) {
        return admin(broker.bootstrapServers());
    }

    public static Admin admin(String servers) {
        return Admin.create(with(servers, Map.of()));
    }

    private static Map<String, Object> with(String servers, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", servers);
        return all;
    }

    /** Sends all records, and waits until each is acknowledged. */
    public static void sendAll(KafkaProducer<String, String> producer, List<ProducerRecord<String, String>> records)
            throws ExecutionException, InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (ProducerRecord<String, String> record : records) {
            sent.add(producer.send(record));
        }
        for (Future<RecordMetadata> acknowledgement : sent) {
            acknowledgement.get();
        }
    }

    /** Reads this number of records from the start of the partition. */
    public static List<ConsumerRecord<String, String>> read(
            TestBroker broker, TopicPartition partition, int count, Map<String, Object> settings) {
        return read(consumer(broker, settings), partition, count);
    }

    /** Reads the values of this number of records, or more, from the start of the partition. */
    public static List<String> values(int port, TopicPartition partition, int count) {
        return read(consumer("localhost:" + port, Map.of()), partition, count).stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    private static List<ConsumerRecord<String, String>> read(
            KafkaConsumer<String, String> reading, TopicPartition partition, int count) {
        try (KafkaConsumer<String, String> consumer = reading) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            return poll(consumer, count);
        }
    }

    public static List<ConsumerRecord<String, String>> poll(KafkaConsumer<String, String> consumer, int count) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (records.size() < count) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("only " + records.size() + " of " + count + " records came");
            }
            consumer.poll(Duration.ofMillis(200)).forEach(records::add);
        }
        return records;
    }
}

package io.rivulet.it.containers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's own clients with their default settings. */
final class KafkaClients {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private KafkaClients() {}

    static void produce(String servers, String topic, Map<String, Object> settings, List<String> values)
            throws ExecutionException, InterruptedException {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", servers);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(all, new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, value)).get();
            }
        }
    }

    /** Consumes this number of values, in order, as the only member of a group. */
    static List<String> consume(String servers, String topic, int count) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", servers, "group.id", "readers", "auto.offset.reset", "earliest");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            List<String> values = new ArrayList<>();
            long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            while (values.size() < count) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new AssertionError("only " + values.size() + " of " + count + " records came");
                }
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    values.add(record.value());
                }
            }
            return values;
        }
    }
}

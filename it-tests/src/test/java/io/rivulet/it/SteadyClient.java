package io.rivulet.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Kafka's own client as a program of {@link ClientProgram} that sends and reads numbers at an even pace. */
final class SteadyClient {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private SteadyClient() {}

    /** Sends so many numbers, again if that fails. */
    static Callable<Pace> sending(String servers, String topic, int count, ScheduledExecutorService clock) {
        return () -> {
            Pace sent = new Pace("sent");
            try (KafkaProducer<String, String> producer = Clients.producer(servers, Map.of())) {
                for (int i = 0; i < count; i++) {
                    int number = i;
                    clock.schedule(
                            () -> send(producer, topic, number, sent), i * PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                }
                sent.await(count);
            }
            return sent;
        };
    }

    private static void send(KafkaProducer<String, String> producer, String topic, int number, Pace sent) {
        producer.send(new ProducerRecord<>(topic, 0, null, String.valueOf(number)), (metadata, failure) -> {
            if (failure == null) {
                sent.came(number);
            } else {
                sent.failed(failure.getClass().getSimpleName());
                send(producer, topic, number, sent);
            }
        });
    }

    /** Reads so many numbers as a member of a group. */
    static Callable<Pace> reading(String servers, String topic, int count) {
        return () -> {
            Pace seen = new Pace("read");
            try (KafkaConsumer<String, String> consumer =
                    Clients.consumer(servers, Map.of("group.id", topic, "auto.offset.reset", "earliest"))) {
                consumer.subscribe(List.of(topic));
                while (!seen.has(count)) {
                    consumer.poll(PAUSE).forEach(record -> seen.came(Integer.parseInt(record.value())));
                }
            } catch (RuntimeException e) {
                seen.failed(e.getClass().getSimpleName());
            }
            return seen;
        };
    }
}

package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Sends one value after the other to a partition until it is closed, whatever happens. The value with number n must be
 * acknowledged at offset n, so it is there once, in order.
 */
final class SteadyProducer implements AutoCloseable {
    /** Also the pace: it sends a record when the one before is acknowledged. */
    private static final int LINGER_MILLIS = 10;

    final Progress acknowledged = new Progress();
    private final Thread thread;
    private volatile boolean stopped;

    SteadyProducer(String servers, String topic) {
        thread = new Thread(() -> run(servers, topic), "steady-producer");
        thread.start();
    }

    static String value(long number) {
        return "value-" + number;
    }

    private void run(String servers, String topic) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers, "linger.ms", LINGER_MILLIS);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (long i = 0; !stopped; i++) {
                assertThat(producer.send(new ProducerRecord<>(topic, value(i)))
                                .get()
                                .offset())
                        .isEqualTo(i);
                acknowledged.advance();
            }
        } catch (ExecutionException | InterruptedException | RuntimeException | AssertionError e) {
            acknowledged.fail(e);
        }
    }

    /** Returns how many were acknowledged, when the last one is. */
    long finish() {
        stopped = true;
        Progress.awaitEnd(thread);
        return acknowledged.count();
    }

    @Override
    public void close() {
        stopped = true;
        Progress.awaitEnd(thread);
    }
}

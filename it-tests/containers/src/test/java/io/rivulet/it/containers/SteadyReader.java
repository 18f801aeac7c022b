package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads what a {@link SteadyProducer} sends, until it is closed. Offset after offset must come, once. */
final class SteadyReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    final Progress read = new Progress();
    private final Thread thread;
    private volatile boolean stopped;

    SteadyReader(String servers, TopicPartition partition) {
        thread = new Thread(() -> run(servers, partition), "steady-reader");
        thread.start();
    }

    /** An offset that goes back is not in the partition, and without a reset policy the consumer fails then. */
    private void run(String servers, TopicPartition partition) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers, "auto.offset.reset", "none");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 0);
            while (!stopped) {
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    long expected = read.count();
                    assertThat(record.offset()).isEqualTo(expected);
                    assertThat(record.value()).isEqualTo(SteadyProducer.value(expected));
                    read.advance();
                }
            }
        } catch (RuntimeException | AssertionError e) {
            read.fail(e);
        }
    }

    @Override
    public void close() {
        stopped = true;
        Progress.awaitEnd(thread);
    }
}

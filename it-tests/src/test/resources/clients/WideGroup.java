import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The only member of a group over a topic of many partitions: gets all of them, consumes a number of records, commits
 * all partitions, checks the commits, and leaves. It has its own process, because the client needs 10 KB for each
 * partition.
 */
public final class WideGroup {
    private static final long PATIENCE_NANOS = 240_000_000_000L;

    public static void main(String[] args) {
        String topic = args[1];
        int partitions = Integer.parseInt(args[3]);
        int records = Integer.parseInt(args[4]);
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", args[0]);
        settings.put("group.id", "wide");
        settings.put("group.protocol", args[2]);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        settings.put("default.api.timeout.ms", 120_000);
        // the metrics of so many partitions would take minutes
        settings.put("metric.reporters", "");
        settings.put("enable.metrics.push", false);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(java.util.List.of(topic));
            long start = System.nanoTime();
            int got = 0;
            while (consumer.assignment().size() < partitions || got < records) {
                require(
                        System.nanoTime() - start < PATIENCE_NANOS,
                        consumer.assignment().size() + " partitions and " + got + " records came");
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    System.out.println(record.value());
                    got++;
                }
            }
            consumer.commitSync();
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(consumer.assignment());
            long count = committed.values().stream().filter(Objects::nonNull).count();
            require(count == partitions, count + " are committed");
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;

/** Consumes as members of a group, dynamic, static and cooperative, with the client on the class path. */
public final class GroupRoundTrip {
    private static final String RANGE = "org.apache.kafka.clients.consumer.RangeAssignor";
    private static final String COOPERATIVE = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor";

    public static void main(String[] args) throws Exception {
        for (String instance : new String[] {null, "one"}) {
            for (String assignor : new String[] {RANGE, COOPERATIVE}) {
                String topic = "group-" + instance + assignor.length();
                produce(args[0], topic, 0, 100);
                consume(args[0], topic, instance, assignor, 0, 100);
                produce(args[0], topic, 100, 150);
                consume(args[0], topic, instance, assignor, 100, 150);
            }
        }
        System.out.println("all is well with " + AppInfoParser.getVersion());
        System.exit(0);
    }

    private static void produce(String servers, String topic, int from, int to) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int i = from; i < to; i++) {
                producer.send(new ProducerRecord<>(topic, String.valueOf(i))).get();
            }
        }
    }

    private static void consume(String servers, String topic, String instance, String assignor, int from, int to) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.put("group.id", "readers of " + topic);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        settings.put("partition.assignment.strategy", assignor);
        if (instance != null) {
            settings.put("group.instance.id", instance);
        }
        Set<Integer> read = new HashSet<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(Collections.singletonList(topic));
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (read.size() < to - from) {
                require(System.nanoTime() < deadline, "only " + read.size() + " records came");
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    int value = Integer.parseInt(record.value());
                    require(from <= value && value < to && read.add(value), value + " came, not " + from + " to " + to);
                }
            }
            consumer.commitSync();
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}

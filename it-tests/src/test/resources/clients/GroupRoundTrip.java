import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Consumes as members of a group, dynamic, static and cooperative, with the client on the class path. */
public final class GroupRoundTrip {
    private static final String RANGE = "org.apache.kafka.clients.consumer.RangeAssignor";
    private static final String COOPERATIVE = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor";
    private static final Map<String, Object> LOGIN = new HashMap<>();

    public static void main(String[] args) throws Exception {
        login(args);
        for (String instance : new String[] {null, "one"}) {
            for (String assignor : new String[] {RANGE, COOPERATIVE}) {
                String topic = "group-" + instance + assignor.length();
                produce(args[0], topic, 0, 100);
                consume(args[0], topic, instance, assignor, 0, 100);
                produce(args[0], topic, 100, 150);
                consume(args[0], topic, instance, assignor, 100, 150);
            }
        }
        System.out.println("all is well with " + version());
        System.exit(0);
    }

    private static void produce(String servers, String topic, int from, int to) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.putAll(LOGIN);
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
        settings.putAll(LOGIN);
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

    /** Of the client. The class that has it is in other packages in other versions. */
    private static String version() throws IOException {
        Properties found = new Properties();
        try (InputStream in = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            found.load(in);
        }
        return found.getProperty("version");
    }

    /** The second argument is a file of settings, if there is one. */
    private static void login(String[] args) throws IOException {
        if (args.length > 1) {
            Properties settings = new Properties();
            try (Reader file = Files.newBufferedReader(Path.of(args[1]))) {
                settings.load(file);
            }
            settings.stringPropertyNames().forEach(name -> LOGIN.put(name, settings.getProperty(name)));
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}

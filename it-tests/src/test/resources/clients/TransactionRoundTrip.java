import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Commits, aborts, is fenced, and copies records with their offsets, with the client on the class path. */
public final class TransactionRoundTrip {
    private static final TopicPartition IN = new TopicPartition("in", 0);
    private static final TopicPartition OUT = new TopicPartition("out", 0);
    private static final Map<String, Object> LOGIN = new HashMap<>();

    private static String servers;

    public static void main(String[] args) throws Exception {
        login(args);
        servers = args[0];
        try (KafkaProducer<String, String> producer = producer("writer")) {
            for (int i = 0; i < 20; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("in", 0, "", i + "a"));
                producer.send(new ProducerRecord<>("in", 0, "", i + "b"));
                if (i % 4 == 3) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
        List<String> committed = read(IN, 30);
        require(!committed.contains("3a"), "in: " + committed);
        require(committed.get(0).equals("0a") && committed.get(29).equals("18b"), "in: " + committed);
        carry();
        require(read(OUT, 30).equals(committed), "out differs from in");
        fence();
        System.out.println("all is well with " + version());
        System.exit(0);
    }

    private static void carry() throws Exception {
        try (KafkaProducer<String, String> producer = producer("carrier");
                KafkaConsumer<String, String> consumer = consumer()) {
            consumer.subscribe(Collections.singletonList("in"));
            int carried = 0;
            boolean aborted = false;
            long deadline = System.nanoTime() + 60_000_000_000L;
            while (carried < 30) {
                require(System.nanoTime() < deadline, "only " + carried + " records came");
                int count = 0;
                Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                producer.beginTransaction();
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    producer.send(new ProducerRecord<>("out", 0, "", record.value()));
                    offsets.put(IN, new OffsetAndMetadata(record.offset() + 1));
                    count++;
                }
                if (count > 0) {
                    producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
                }
                if (count > 0 && !aborted) {
                    producer.abortTransaction();
                    consumer.seekToBeginning(consumer.assignment());
                    aborted = true;
                } else {
                    producer.commitTransaction();
                    carried += count;
                }
            }
            long offset = consumer.committed(Collections.singleton(IN)).get(IN).offset();
            require(offset >= 38, "the offsets are not committed");
        }
    }

    private static void fence() throws Exception {
        KafkaProducer<String, String> zombie = producer("fenced");
        zombie.beginTransaction();
        zombie.send(new ProducerRecord<>("fenced", 0, "", "zombie")).get();
        try (KafkaProducer<String, String> next = producer("fenced")) {
            boolean fenced = false;
            try {
                zombie.commitTransaction();
            } catch (KafkaException e) {
                fenced = true;
            }
            require(fenced, "the zombie has committed");
            next.beginTransaction();
            next.send(new ProducerRecord<>("fenced", 0, "", "next"));
            next.commitTransaction();
        }
        zombie.close(Duration.ZERO);
        List<String> read = read(new TopicPartition("fenced", 0), 1);
        require(read.equals(Arrays.asList("next")), "read " + read);
    }

    private static KafkaProducer<String, String> producer(String id) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.putAll(LOGIN);
        settings.put("transactional.id", id);
        KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        producer.initTransactions();
        return producer;
    }

    private static KafkaConsumer<String, String> consumer() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.putAll(LOGIN);
        settings.put("isolation.level", "read_committed");
        settings.put("group.id", "carriers");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    private static List<String> read(TopicPartition partition, int count) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer()) {
            consumer.assign(Collections.singletonList(partition));
            consumer.seekToBeginning(Collections.singletonList(partition));
            long end = consumer.endOffsets(Collections.singletonList(partition)).get(partition);
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (consumer.position(partition) < end) {
                require(System.nanoTime() < deadline, "only " + values + " came");
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
            }
        }
        require(values.size() == count, values.size() + " instead of " + count + " values: " + values);
        return values;
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

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;

/** Produces and consumes with every codec, with the client on the class path. Prints one line if all is well. */
public final class RoundTrip {
    private static final int COUNT = 1000;

    public static void main(String[] args) throws Exception {
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            for (boolean idempotent : new boolean[] {false, true}) {
                String topic = "round-trip-" + codec + "-" + idempotent;
                produce(args[0], topic, codec, idempotent);
                consume(args[0], topic);
            }
        }
        System.out.println("all is well with " + AppInfoParser.getVersion());
        System.exit(0);
    }

    private static void produce(String servers, String topic, String codec, boolean idempotent) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.put("compression.type", codec);
        settings.put("enable.idempotence", idempotent);
        settings.put("batch.size", 2000);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < COUNT; i++) {
                ProducerRecord<String, String> record =
                        new ProducerRecord<>(
                                topic, 0, i % 2 == 0 ? null : "key-" + i, i % 7 == 0 ? null : "value-" + i);
                record.headers().add("i", new byte[] {(byte) i});
                sent.add(producer.send(record));
            }
        }
        for (int i = 0; i < COUNT; i++) {
            require(sent.get(i).get().offset() == i, "acknowledged at " + sent.get(i).get().offset());
        }
    }

    private static void consume(String servers, String topic) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            int i = 0;
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (i < COUNT) {
                require(System.nanoTime() < deadline, "only " + i + " records came");
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    require(record.offset() == i, "offset " + record.offset() + " instead of " + i);
                    String key = String.valueOf(record.key());
                    require((i % 2 == 0 ? "null" : "key-" + i).equals(key), "key " + key);
                    require((i % 7 == 0 ? "null" : "value-" + i).equals(String.valueOf(record.value())), "value");
                    require(record.headers().lastHeader("i").value()[0] == (byte) i, "header");
                    i++;
                }
            }
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}

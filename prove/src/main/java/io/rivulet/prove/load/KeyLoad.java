package io.rivulet.prove.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Writes rising numbers for a few keys of a compacted topic: each key keeps its last one. */
final class KeyLoad extends Load {
    private static final TopicPartition PARTITION = new TopicPartition("keys", 0);
    private static final int KEYS = 20;

    private final Target target;
    private final TreeMap<String, Long> last = new TreeMap<>();

    KeyLoad(Target target) {
        super("key-load", target.pauseNanos());
        this.target = target;
    }

    /** Must be called while the broker is there. */
    void createTopic() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Clients.settings(target, Map.of()))) {
            admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)
                            .configs(Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01"))))
                    .all()
                    .get();
        }
    }

    @Override
    protected void run() throws ExecutionException, InterruptedException {
        try (KafkaProducer<String, String> producer = Clients.producer(target, Map.of())) {
            for (long number = 0; !isStopped(); number++) {
                String key = "k" + number % KEYS;
                producer.send(new ProducerRecord<>(
                                PARTITION.topic(), PARTITION.partition(), key, String.valueOf(number)))
                        .get();
                last.put(key, number);
                acknowledged();
                pause();
            }
        }
    }

    @Override
    protected List<String> violations(Target target) {
        TreeMap<String, Long> read = new TreeMap<>();
        List<String> found = new ArrayList<>();
        for (ConsumerRecord<String, String> record : Clients.readAll(target, List.of(PARTITION), "read_uncommitted")) {
            Long before = read.put(record.key(), Long.valueOf(record.value()));
            if (before != null && before >= Long.parseLong(record.value())) {
                found.add("key " + record.key() + " goes from " + before + " to " + record.value());
            }
        }
        found.addAll(differences(last, read));
        return found;
    }

    static List<String> differences(Map<String, Long> last, Map<String, Long> read) {
        return last.equals(read)
                ? List.of()
                : List.of("the last values of keys are " + read + ", acknowledged were " + last);
    }
}

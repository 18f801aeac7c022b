package io.rivulet.prove.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** An idempotent producer that numbers its records: each must be there once, in order, where it was acknowledged. */
final class PlainLoad extends Load {
    private static final String TOPIC = "plain";
    private static final int PARTITIONS = 3;
    private static final int MOST_UNACKNOWLEDGED = 500;
    /** So long that all records together fill the tail of the broker a few times. */
    private static final String PADDING = "x".repeat(4000);

    private final Target target;
    private final Map<String, Long> offsets = new ConcurrentHashMap<>();
    private final Semaphore room = new Semaphore(MOST_UNACKNOWLEDGED);
    private long sent;

    PlainLoad(Target target) {
        super("plain-load", target.pauseNanos());
        this.target = target;
    }

    @Override
    protected void run() throws InterruptedException {
        try (KafkaProducer<String, String> producer = Clients.producer(target, Map.of("batch.size", 500))) {
            while (!isStopped()) {
                room.acquire();
                send(producer, sent++);
                pause();
            }
            producer.flush();
        }
    }

    private void send(KafkaProducer<String, String> producer, long number) {
        int partition = (int) (number % PARTITIONS);
        String value = value(partition, number / PARTITIONS);
        producer.send(new ProducerRecord<>(TOPIC, partition, PADDING, value), (metadata, failed) -> {
            room.release();
            if (failed != null) {
                fail(failed);
            } else {
                offsets.put(value, metadata.offset());
                acknowledged();
            }
        });
    }

    private static String value(int partition, long number) {
        return partition + "-" + number;
    }

    @Override
    protected List<String> violations(Target target) {
        List<String> found = new ArrayList<>();
        for (TopicPartition partition : Clients.partitions(TOPIC, PARTITIONS)) {
            found.addAll(compare(
                    partition.partition(),
                    Clients.readAll(target, List.of(partition), "read_uncommitted").stream()
                            .map(PlainLoad::seen)
                            .toList()));
        }
        return found;
    }

    /** A record as it was read. */
    record Seen(long offset, String value) {}

    private static Seen seen(ConsumerRecord<String, String> record) {
        return new Seen(record.offset(), record.value());
    }

    private List<String> compare(int partition, List<Seen> records) {
        long count = (sent - partition + PARTITIONS - 1) / PARTITIONS;
        List<Seen> wanted = new ArrayList<>();
        for (long number = 0; number < count; number++) {
            String value = value(partition, number);
            wanted.add(new Seen(offsets.getOrDefault(value, -1L), value));
        }
        return differences(TOPIC + "-" + partition, wanted, records);
    }

    /** Both must have the same values at the same offsets, from offset 0 on without a gap. */
    static List<String> differences(String partition, List<Seen> acknowledged, List<Seen> read) {
        List<String> found = new ArrayList<>();
        if (read.size() != acknowledged.size()) {
            found.add(
                    partition + " has " + read.size() + " records, and " + acknowledged.size() + " were acknowledged");
        }
        for (int i = 0; i < Math.min(read.size(), acknowledged.size()); i++) {
            if (!read.get(i).equals(acknowledged.get(i)) || read.get(i).offset() != i) {
                found.add(partition + " has " + read.get(i) + ", acknowledged was " + acknowledged.get(i));
                break;
            }
        }
        return found;
    }
}

package io.rivulet.engine;

import io.rivulet.engine.Violation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The numbers of one partition: which were acknowledged at which offset, and which were read. Each number is sent once,
 * in order. So what is read rises, has every acknowledged number at its offset, and never changes.
 *
 * <p>Thread-safe.
 */
final class NumberedHistory {
    private static final int SMALL_BYTES = 100;
    private static final int LARGE_BYTES = 60_000;
    private static final int LARGE_ONE_IN = 50;
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final int MOST_EMPTY_POLLS = 120;

    /** A record that was acknowledged. */
    private record Acknowledged(long offset, long number) {}

    private final TopicPartition partition;
    private final List<Acknowledged> unchecked = new ArrayList<>();
    /** By offset. */
    private final List<Long> read = new ArrayList<>();

    private long next;
    private long acknowledged;
    private long endAtLeast;

    NumberedHistory(TopicPartition partition) {
        this.partition = partition;
    }

    TopicPartition partition() {
        return partition;
    }

    synchronized long nextNumber() {
        return next++;
    }

    /** Some are so large that the tail refers to them in the log. */
    static String value(long number) {
        int bytes = number % LARGE_ONE_IN == 0 ? LARGE_BYTES : SMALL_BYTES;
        return number + ":" + String.valueOf((char) ('a' + number % 26)).repeat(bytes);
    }

    synchronized void acknowledged(long offset, long number) {
        unchecked.add(new Acknowledged(offset, number));
        acknowledged++;
        endAtLeast = Math.max(endAtLeast, offset + 1);
    }

    /** Behind the last record that was acknowledged. */
    synchronized long endAtLeast() {
        return endAtLeast;
    }

    synchronized long acknowledgedCount() {
        return acknowledged;
    }

    /** Reads what is new, or all, and returns what is wrong. */
    List<Violation> check(String servers, boolean all) {
        List<Acknowledged> mustBeThere;
        synchronized (this) {
            mustBeThere = List.copyOf(unchecked);
            unchecked.clear();
        }
        List<Violation> wrong = new ArrayList<>();
        read(servers, all ? 0 : read.size(), wrong);
        for (Acknowledged record : mustBeThere) {
            if (record.offset >= read.size()) {
                wrong.add(new Violation(
                        Kind.LOST, partition + " ends at " + read.size() + ", yet " + record + " was acknowledged"));
                break;
            }
            long found = read.get((int) record.offset);
            if (found != record.number) {
                wrong.add(new Violation(
                        Kind.LOST,
                        partition + " has " + found + " at offset " + record.offset + ", acknowledged was "
                                + record.number));
                break;
            }
        }
        return wrong;
    }

    private void read(String servers, long from, List<Violation> wrong) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "auto.offset.reset", "none"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            if (end < read.size()) {
                wrong.add(new Violation(
                        Kind.LOST, partition + " ends at " + end + ", and had " + read.size() + " records before"));
                return;
            }
            consumer.seek(partition, from);
            int emptyPolls = 0;
            while (consumer.position(partition) < end && wrong.isEmpty()) {
                if (emptyPolls == MOST_EMPTY_POLLS) {
                    wrong.add(new Violation(
                            Kind.UNREADABLE,
                            partition + ": offset " + consumer.position(partition) + " of " + end + " is not read"));
                }
                ConsumerRecords<String, String> records = consumer.poll(POLL);
                emptyPolls = records.isEmpty() ? emptyPolls + 1 : 0;
                for (ConsumerRecord<String, String> record : records) {
                    add(record, wrong);
                }
            }
        }
    }

    private void add(ConsumerRecord<String, String> record, List<Violation> wrong) {
        long number = Long.parseLong(record.value().substring(0, record.value().indexOf(':')));
        int offset = (int) record.offset();
        if (!record.value().equals(value(number))) {
            wrong.add(new Violation(Kind.ALTERED, partition + " has an altered record at offset " + offset));
        } else if (offset < read.size()) {
            if (read.get(offset) != number) {
                wrong.add(new Violation(
                        Kind.LOST,
                        partition + " has " + number + " at offset " + offset + ", before it was " + read.get(offset)));
            }
        } else if (offset > read.size()) {
            wrong.add(new Violation(Kind.UNREADABLE, partition + " has nothing at offset " + read.size()));
        } else {
            if (offset > 0 && read.get(offset - 1) >= number) {
                wrong.add(new Violation(
                        Kind.OUT_OF_ORDER, partition + " has " + number + " after " + read.get(offset - 1)));
            }
            read.add(number);
        }
    }
}

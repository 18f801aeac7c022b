package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Poll;
import io.rivulet.prove.history.History.Position;
import io.rivulet.prove.load.Clients;
import io.rivulet.prove.load.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A consumer whose polls and positions are recorded. Owned by: one thread. */
final class Reading {
    /** Short: a member of a group whose coordinator is gone does not wait in a poll but keeps a core busy. */
    private static final Duration POLL = Duration.ofMillis(25);

    private static final Map<String, Object> SETTINGS = Map.of(
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest",
            "default.api.timeout.ms",
            20_000,
            "max.poll.records",
            50);

    private final KafkaConsumer<String, String> consumer;
    private final String name;
    private final boolean isCommitted;
    private final History history;
    private final Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();

    private Reading(KafkaConsumer<String, String> consumer, String name, boolean isCommitted, History history) {
        this.consumer = consumer;
        this.name = name;
        this.isCommitted = isCommitted;
        this.history = history;
    }

    static Reading ofPartitions(Target target, String name, boolean isCommitted, History history) {
        String isolation = isCommitted ? "read_committed" : "read_uncommitted";
        Reading reading = new Reading(
                Clients.consumer(target, with(Map.of("isolation.level", isolation))), name, isCommitted, history);
        reading.consumer.assign(Clients.partitions(HistoryLoad.TOPIC, HistoryLoad.PARTITIONS));
        reading.beginAgain();
        return reading;
    }

    /** @param protocol of the group */
    static Reading ofGroup(Target target, String name, String group, String protocol, History history) {
        Map<String, Object> more = with(Map.of(
                "isolation.level", "read_committed",
                "group.id", group,
                "group.protocol", protocol));
        if (protocol.equals("classic")) {
            more.put("session.timeout.ms", HistoryLoad.SESSION_MILLIS);
        }
        Reading reading = new Reading(Clients.consumer(target, more), name, true, history);
        reading.consumer.subscribe(List.of(HistoryLoad.TOPIC), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                partitions.forEach(reading.next::remove);
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                partitions.forEach(partition -> history.add(
                        new Position(name, partition.toString(), History.UNKNOWN, group, System.nanoTime())));
            }
        });
        return reading;
    }

    private static Map<String, Object> with(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(SETTINGS);
        all.putAll(more);
        return all;
    }

    KafkaConsumer<String, String> consumer() {
        return consumer;
    }

    void beginAgain() {
        consumer.seekToBeginning(consumer.assignment());
        consumer.assignment()
                .forEach(partition -> history.add(new Position(name, partition.toString(), 0, "", System.nanoTime())));
    }

    /** May be empty. */
    List<Entry> poll() {
        List<Entry> seen = new ArrayList<>();
        next.clear();
        for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            seen.add(new Entry(partition.toString(), record.offset(), record.value()));
            next.put(partition, new OffsetAndMetadata(record.offset() + 1));
        }
        if (!seen.isEmpty()) {
            history.add(new Poll(name, isCommitted, System.nanoTime(), seen));
        }
        return seen;
    }

    /** Those after the last poll. */
    Map<TopicPartition, OffsetAndMetadata> offsets() {
        return Map.copyOf(next);
    }

    void close(Duration most) {
        try {
            consumer.close(CloseOptions.timeout(most));
        } catch (KafkaException e) {
            return; // its session ends
        }
    }
}

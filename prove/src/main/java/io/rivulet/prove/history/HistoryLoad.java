package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Committed;
import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.load.Clients;
import io.rivulet.prove.load.Load;
import io.rivulet.prove.load.MixedLoad;
import io.rivulet.prove.load.Target;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/** Starts the clients whose history is checked. Stateless. */
public final class HistoryLoad {
    /** All clients write and read here. */
    static final String TOPIC = "history";

    /** Only processors write here. */
    static final String OUTPUT = "output";

    static final int PARTITIONS = 3;
    /** No client gives up, and no transaction is aborted, before this. */
    static final int LONG_MILLIS = 600_000;

    static final int SESSION_MILLIS = 10_000;

    private static final String READERS = "readers";

    /** Settings of the broker: a member that could not leave does not hold up its group. */
    public static final Map<String, String> BROKER = Map.of(
            "group.consumer.min.session.timeout.ms",
            String.valueOf(SESSION_MILLIS),
            "group.consumer.session.timeout.ms",
            String.valueOf(SESSION_MILLIS),
            "group.consumer.heartbeat.interval.ms",
            "1000",
            "group.consumer.min.heartbeat.interval.ms",
            "1000");

    private HistoryLoad() {}

    /** A broker must be there, and may go and come back afterwards. */
    public static MixedLoad start(Target target, long seed, History history)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Clients.settings(target, Map.of()))) {
            admin.createTopics(List.of(
                            new NewTopic(TOPIC, PARTITIONS, (short) 1), new NewTopic(OUTPUT, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
        Random random = new Random(seed);
        List<Load> loads = List.of(
                new PlainSender(target, "plain1", history, new Random(random.nextLong())),
                new PlainSender(target, "plain2", history, new Random(random.nextLong())),
                new TransactionalSender(target, "transactions1", history, new Random(random.nextLong())),
                new TransactionalSender(target, "transactions2", history, new Random(random.nextLong())),
                new Processor(target, "processor1", history, new Random(random.nextLong())),
                new Processor(target, "processor2", history, new Random(random.nextLong())),
                new PartitionReader(target, "committed", true, history, new Random(random.nextLong())),
                new PartitionReader(target, "uncommitted", false, history, new Random(random.nextLong())),
                new GroupReader(target, "reader1", READERS, history, new Random(random.nextLong())),
                new GroupReader(target, "reader2", READERS, history, new Random(random.nextLong())));
        return MixedLoad.start(loads, targetAtTheEnd -> atTheEnd(targetAtTheEnd, history));
    }

    private static List<String> atTheEnd(Target target, History history) {
        for (String topic : List.of(TOPIC, OUTPUT)) {
            for (TopicPartition partition : Clients.partitions(topic, PARTITIONS)) {
                history.atTheEnd(true, partition.toString(), all(target, partition, "read_committed"));
                history.atTheEnd(false, partition.toString(), all(target, partition, "read_uncommitted"));
            }
        }
        try (Admin admin = Admin.create(Clients.settings(target, Map.of()))) {
            for (String group : List.of(READERS, "processors")) {
                long startNanos = System.nanoTime();
                admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .forEach((partition, offset) -> history.add(new Committed(
                                group, partition.toString(), offset.offset(), startNanos, System.nanoTime())));
            }
        } catch (ExecutionException e) {
            return List.of("the committed offsets can't be read: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of("interrupted");
        }
        return new HistoryChecker(history).violations();
    }

    private static List<Entry> all(Target target, TopicPartition partition, String isolation) {
        return Clients.readAll(target, List.of(partition), isolation).stream()
                .map(record -> new Entry(partition.toString(), record.offset(), record.value()))
                .toList();
    }
}

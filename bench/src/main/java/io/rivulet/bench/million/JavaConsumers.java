package io.rivulet.bench.million;

import io.rivulet.bench.versus.RunningBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * One group of Java consumers that reads and verifies all that was written, ten messages to each queue: each message of a queue once, and in order.
 *
 * <p>Of a topic of so many partitions each member wants its part; the leader shares them out in turn, as the Java client's range
 * assignor looks for each of a member's partitions in a list of all of them. Of so many topics each member names its own. All speak the
 * classic protocol: with the newer one each member looks through all of its partitions in each turn of a thread that does not rest.
 */
final class JavaConsumers {
    private static final int RECORDS_AT_ONCE = 20_000;
    private static final int SESSION_MILLIS = 300_000;
    private static final int COMMIT_MILLIS = 60_000;
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final long SILENCE_NANOS = 300_000_000_000L;

    private final RunningBroker broker;
    private final Layout layout;
    private final int queues;
    private final boolean numbered;
    private final int members;
    private final long startNanos = System.nanoTime();
    /** Of each queue how many have come; a queue is one member's at a time. */
    private final byte[] come;
    /** How many queues each member has; guarded by this. */
    private final int[] assigned;

    private double joinSeconds;
    private double readSeconds;
    private volatile boolean failed;
    private volatile long lastNanos = startNanos;

    /** @param numbered whether each message says which of its queue it is */
    JavaConsumers(RunningBroker broker, Layout layout, int queues, boolean numbered) {
        this.broker = broker;
        this.layout = layout;
        this.queues = queues;
        this.numbered = numbered;
        this.members = layout.members(queues);
        this.come = new byte[queues];
        this.assigned = new int[members];
    }

    String title() {
        return "a group of " + members + " Java consumers";
    }

    /** Until its members had all queues between them, for the last time. */
    double joinSeconds() {
        return joinSeconds;
    }

    /** From the first consumer on until the last message was verified. */
    double readSeconds() {
        return readSeconds;
    }

    void run(PrintWriter out) throws IOException, InterruptedException {
        try (Progress progress = new Progress(out, "messages read", (long) queues * Message.PER_QUEUE)) {
            Threads.run(members, member -> {
                try {
                    read(member, progress, out);
                } catch (Exception | Error e) {
                    failed = true;
                    throw e;
                }
            });
        }
        for (int queue = 0; queue < queues; queue++) {
            if (come[queue] != Message.PER_QUEUE) {
                throw new IOException("of queue " + queue + " " + come[queue] + " messages have come");
            }
        }
    }

    private void read(int member, Progress progress, PrintWriter out) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(topics(member), new Assigned(member, out));
            while (progress.left() > 0) {
                int count = 0;
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(PATIENCE)) {
                    verify(message);
                    count++;
                }
                progress.add(count);
                watch(count, progress.left());
            }
            ended();
        }
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", "localhost:" + broker.port()));
        settings.put("group.id", "all-of-them");
        if (layout == Layout.ONE_TOPIC) {
            settings.put("partition.assignment.strategy", RoundRobinAssignor.class.getName());
        }
        // Each time a member commits all that it has, and that is many.
        settings.put("auto.commit.interval.ms", COMMIT_MILLIS);
        // Its leader knows a million partitions or topics; where that takes long, nobody shall be taken for dead.
        settings.put("session.timeout.ms", SESSION_MILLIS);
        settings.put("auto.offset.reset", "earliest");
        settings.put("max.poll.records", RECORDS_AT_ONCE);
        // Seven metrics of each partition would be registered as beans, one by one, and kept once more for a broker
        // that asks for them.
        settings.put("metric.reporters", "");
        settings.put("enable.metrics.push", false);
        return settings;
    }

    private List<String> topics(int member) {
        return layout == Layout.ONE_TOPIC
                ? List.of(layout.topic(0))
                : IntStream.range(0, queues)
                        .filter(queue -> queue % members == member)
                        .mapToObj(layout::topic)
                        .toList();
    }

    private void verify(ConsumerRecord<byte[], byte[]> message) {
        int queue = layout.queue(message.topic(), message.partition());
        if (!Message.is(message.value(), queue, numbered ? come[queue] : 0) || message.offset() != come[queue]) {
            throw new IllegalStateException("queue " + queue + " should have its message " + come[queue]
                    + ", but at offset " + message.offset() + " there is another");
        }
        come[queue]++;
    }

    private void watch(int count, long left) {
        long now = System.nanoTime();
        if (count > 0) {
            lastNanos = now;
        } else if (now - lastNanos > SILENCE_NANOS) {
            throw new IllegalStateException(left + " messages have not come");
        }
        if (failed) {
            throw new IllegalStateException("another member has failed");
        }
    }

    private synchronized void ended() {
        if (readSeconds == 0) {
            readSeconds = (System.nanoTime() - startNanos) / 1e9;
        }
    }

    private synchronized void assign(int member, int more, PrintWriter out) {
        assigned[member] += more;
        if (Arrays.stream(assigned).allMatch(count -> count > 0)
                && Arrays.stream(assigned).sum() == queues) {
            joinSeconds = (System.nanoTime() - startNanos) / 1e9;
            out.printf(Locale.ROOT, "  %,.0f s: all queues are assigned%n", joinSeconds);
            out.flush();
        }
    }

    /** Counts the queues of one member. */
    private final class Assigned implements ConsumerRebalanceListener {
        private final int member;
        private final PrintWriter out;

        Assigned(int member, PrintWriter out) {
            this.member = member;
            this.out = out;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            assign(member, partitions.size(), out);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            assign(member, -partitions.size(), out);
        }
    }
}

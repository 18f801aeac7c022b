package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Progress;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Threads;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * One group of Java consumers. It reads and verifies ten messages of each queue, each of them once and in order.
 *
 * <p>All members join. When all queues are assigned, a few members at a time read all of their queues. A member that
 * has read everything commits and closes, but stays in the group, so that the others keep their queues. A Java consumer
 * keeps fourteen metrics (14 KB) for each topic that it has read, until it closes. If all members read a million topics
 * at once, that fills the heap: collections of 22 s follow each other, and requests time out after 30 s.
 *
 * <p>With one topic of many partitions every member subscribes to it, and the leader assigns the partitions in turn:
 * the range assignor searches a list of all partitions for each partition of a member. With many topics each member
 * subscribes to its own. All members use the classic protocol: with the newer one each member looks through all of its
 * partitions in each turn of a thread that never sleeps.
 */
final class JavaConsumers {
    private static final int RECORDS_AT_ONCE = 20_000;
    private static final int SESSION_MILLIS = 1_800_000;
    private static final int COMMIT_MILLIS = 60_000;
    private static final Duration PATIENCE = Duration.ofMillis(200);
    /**
     * A member that waits for its turn polls this often, so that it is not taken for dead. Each poll looks through all
     * of its queues.
     */
    private static final long BETWEEN_POLLS_SECONDS = 20;

    private static final long SILENCE_NANOS = 300_000_000_000L;

    private final RunningBroker broker;
    private final Layout layout;
    private final int queues;
    private final boolean numbered;
    private final int members;
    private final Semaphore turns;
    private final long startNanos = System.nanoTime();
    /** How many messages of each queue have arrived. A queue belongs to one member at a time. */
    private final byte[] arrived;
    /** How many queues each member has; guarded by this. */
    private final int[] assigned;
    /** Guarded by this; 0 before that. */
    private double joinSeconds;

    private double readSeconds;
    /** Messages that have come. */
    private final LongAdder read = new LongAdder();

    private volatile boolean failed;
    private volatile long lastNanos = startNanos;

    /** @param numbered whether each message says which of its queue it is */
    JavaConsumers(RunningBroker broker, Layout layout, int queues, boolean numbered) {
        this.broker = broker;
        this.layout = layout;
        this.queues = queues;
        this.numbered = numbered;
        this.members = layout.members(queues);
        this.turns = new Semaphore(layout.membersReading());
        this.arrived = new byte[queues];
        this.assigned = new int[members];
    }

    String title() {
        return "a group of " + members + " Java consumers";
    }

    /** Until its members had all queues between them, for the last time. */
    synchronized double joinSeconds() {
        return joinSeconds;
    }

    /** From the first consumer on until all was read and verified, and the last had committed and ended. */
    double readSeconds() {
        return readSeconds;
    }

    void run(PrintWriter out) throws IOException, BrokerFailedException {
        try (Progress progress = new Progress(out, "messages read", read)) {
            Threads.run(members, member -> {
                try (Member one = new Member(member, out)) {
                    one.read();
                } catch (Exception | Error e) {
                    failed = true;
                    throw e;
                }
            });
            readSeconds = progress.seconds();
        }
        for (int queue = 0; queue < queues; queue++) {
            if (arrived[queue] != Message.PER_QUEUE) {
                throw new IOException("of queue " + queue + " " + arrived[queue] + " messages have come");
            }
        }
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", "localhost:" + broker.port()));
        settings.put("group.id", "all-of-them");
        if (layout == Layout.ONE_TOPIC) {
            settings.put("partition.assignment.strategy", RoundRobinAssignor.class.getName());
        }
        // Between two reads of its socket a member looks through all of its partitions, so let the kernel hold more
        // than 64 KiB.
        settings.put("receive.buffer.bytes", -1);
        // Each time a member commits all that it has, and that is many.
        settings.put("auto.commit.interval.ms", COMMIT_MILLIS);
        // Its leader knows a million partitions or topics; where that takes long, nobody shall be taken for dead.
        settings.put("session.timeout.ms", SESSION_MILLIS);
        // All wait for the leader with a request that is else given up after 30 s, and then all join anew. It first
        // asks for the metadata of all topics, and a Java client puts a million such names into its table in 20 s.
        settings.put("request.timeout.ms", SESSION_MILLIS);
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
        if (!Message.is(message.value(), queue, numbered ? arrived[queue] : 0) || message.offset() != arrived[queue]) {
            throw new IllegalStateException("queue " + queue + " should have its message " + arrived[queue]
                    + ", but at offset " + message.offset() + " there is another");
        }
        arrived[queue]++;
    }

    private void watch(int count) {
        long now = System.nanoTime();
        if (count > 0) {
            lastNanos = now;
        } else if (now - lastNanos > SILENCE_NANOS) {
            throw new IllegalStateException((long) queues * Message.PER_QUEUE - read.sum() + " messages have not come");
        }
        if (failed) {
            throw new IllegalStateException("another member has failed");
        }
    }

    private synchronized boolean allAreAssigned() {
        return joinSeconds > 0;
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

    /** Joins, waits for its turn, reads all of its queues, commits and ends. Confined to one thread. */
    private final class Member implements ConsumerRebalanceListener, AutoCloseable {
        private final int number;
        private final PrintWriter out;
        private final KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        /** Messages of its queues that have not come. */
        private long left;

        private boolean reading;

        Member(int number, PrintWriter out) {
            this.number = number;
            this.out = out;
        }

        void read() throws InterruptedException {
            consumer.subscribe(topics(number), this);
            while (!allAreAssigned()) {
                poll(PATIENCE);
            }
            while (!turns.tryAcquire(BETWEEN_POLLS_SECONDS, TimeUnit.SECONDS)) {
                poll(Duration.ZERO);
            }
            reading = true;
            consumer.resume(consumer.assignment());
            while (left > 0) {
                poll(PATIENCE);
            }
        }

        private void poll(Duration patience) {
            int count = 0;
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(patience)) {
                verify(message);
                count++;
            }
            left -= count;
            read.add(count);
            watch(count);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!reading) {
                consumer.pause(partitions);
            }
            left += missing(partitions);
            assign(number, partitions.size(), out);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            left -= missing(partitions);
            assign(number, -partitions.size(), out);
        }

        private long missing(Collection<TopicPartition> partitions) {
            return partitions.stream()
                    .mapToLong(one -> Message.PER_QUEUE - arrived[layout.queue(one.topic(), one.partition())])
                    .sum();
        }

        /**
         * Commits. The member does not leave the group: otherwise the others would rebalance its queues, which it has
         * read.
         */
        @Override
        public void close() {
            consumer.close(
                    CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
            if (reading) {
                turns.release();
            }
        }
    }
}

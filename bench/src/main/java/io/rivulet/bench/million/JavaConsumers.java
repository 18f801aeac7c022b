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
 * One group of Java consumers. It reads the messages of each queue and verifies that each arrives once and in order.
 *
 * <p>All members join. When all queues are assigned, a few members at a time read all of their queues. Then a member
 * commits and closes, but stays in the group, so that the others keep their queues. A Java consumer keeps fourteen
 * metrics (14 KB) for each topic that it has read, until it closes. If all members read a million topics at once, the
 * metrics fill the heap: collections of 22 s follow one another, and requests time out after 30 s.
 *
 * <p>With one topic, every member subscribes to it, and the leader assigns the partitions in turn: the range assignor
 * would search a list of all partitions for each partition of a member. With many topics, each member subscribes to its
 * own. All members use the classic protocol, because with the consumer protocol a thread of each member checks all
 * partitions without a pause.
 */
final class JavaConsumers {
    private static final int RECORDS_AT_ONCE = 20_000;
    private static final int SESSION_MILLIS = 1_800_000;
    private static final int COMMIT_MILLIS = 60_000;
    private static final Duration PATIENCE = Duration.ofMillis(200);
    /** A member that waits for its turn must poll to stay in the group. Each poll checks all of its queues. */
    private static final long BETWEEN_POLLS_SECONDS = 20;

    private static final long SILENCE_NANOS = 300_000_000_000L;

    private final RunningBroker broker;
    private final Layout layout;
    private final int queues;
    private final boolean numbered;
    private final int members;
    private final Semaphore turns;
    private final long startNanos = System.nanoTime();
    /** Messages of each queue that have arrived. A queue belongs to one member at a time. */
    private final byte[] arrived;
    /** Number of queues of each member; guarded by this. */
    private final int[] assigned;
    /** 0 until all queues are assigned; guarded by this. */
    private double joinSeconds;

    private double readSeconds;
    /** Messages that have arrived. */
    private final LongAdder read = new LongAdder();

    private volatile boolean failed;
    private volatile long lastNanos = startNanos;

    /** @param numbered whether each message has its number in the queue */
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

    /** Time until all queues were assigned, in the last generation. */
    synchronized double joinSeconds() {
        return joinSeconds;
    }

    /** Time from the first consumer until all messages were verified and the last consumer had committed and closed. */
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
                throw new IOException(
                        "queue " + queue + " returned " + arrived[queue] + " messages of " + Message.PER_QUEUE);
            }
        }
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", "localhost:" + broker.port()));
        settings.put("group.id", "all-of-them");
        if (layout == Layout.ONE_TOPIC) {
            settings.put("partition.assignment.strategy", RoundRobinAssignor.class.getName());
        }
        // Between two reads of its socket a member checks all of its partitions. 64 KiB would be too small a buffer.
        settings.put("receive.buffer.bytes", -1);
        // each commit has all queues of the member
        settings.put("auto.commit.interval.ms", COMMIT_MILLIS);
        // The leader assigns a million queues. Members must not be removed from the group while it does.
        settings.put("session.timeout.ms", SESSION_MILLIS);
        // All members wait for the leader with one request, which would time out after 30 s. The leader needs 20 s to
        // put the metadata of a million topics into its table.
        settings.put("request.timeout.ms", SESSION_MILLIS);
        settings.put("auto.offset.reset", "earliest");
        settings.put("max.poll.records", RECORDS_AT_ONCE);
        // Otherwise seven metrics of each partition become beans, with a copy to push to the broker.
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
            throw new IllegalStateException("queue " + queue + " returned offset " + message.offset()
                    + " with a wrong message where message " + arrived[queue] + " was expected");
        }
        arrived[queue]++;
    }

    private void watch(int count) {
        long now = System.nanoTime();
        if (count > 0) {
            lastNanos = now;
        } else if (now - lastNanos > SILENCE_NANOS) {
            throw new IllegalStateException(
                    (long) queues * Message.PER_QUEUE - read.sum() + " messages have not arrived");
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

    /** Joins, waits for its turn, reads all of its queues, commits and closes. Owned by: its own thread. */
    private final class Member implements ConsumerRebalanceListener, AutoCloseable {
        private final int number;
        private final PrintWriter out;
        private final KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        /** Messages of its queues that have not arrived. */
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

        /** Commits, but does not leave the group, because then other members would get its queues. */
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

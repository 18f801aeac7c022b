package io.rivulet.bench.million;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Threads;
import io.rivulet.bench.load.Filling;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Topics;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * A share group over all partitions of a topic: joins, acquires a message of each, accepts it. The members are served
 * by two threads. Owned by: the command's thread.
 */
final class ShareGroup implements Closeable {
    private static final int THREADS = 2;
    private static final int ROUNDS = 4;
    private static final long PATIENCE_SECONDS = 300;
    private static final long BETWEEN_HEARTBEATS_MILLIS = 100;
    private static final int MAX_WAIT_MILLIS = 1;
    private static final double READY_SECONDS = 3;
    private static final double PER_SECOND = 500_000;

    private final List<ShareMember> members = new ArrayList<>();
    private final int queues;
    private final List<BitSet> seen = new ArrayList<>();

    private ShareGroup(RunningBroker broker, String group, String topic, int queues, int count) throws IOException {
        this.queues = queues;
        for (int i = 0; i < count; i++) {
            members.add(new ShareMember(broker.port(), group, topic, i));
        }
        for (int i = 0; i < THREADS; i++) {
            seen.add(new BitSet());
        }
    }

    /** One message in each queue is consumed; then one more, half of which is in flight when the broker is killed. */
    static void run(RunningBroker broker, Frames frames, int queues, int count, GoalTable figures)
            throws IOException, BrokerFailedException {
        String topic = Layout.ONE_TOPIC.topic(0);
        configure(broker);
        figures.plain("RSS, filled", "MB", broker.residentMegabytes());
        broker.resetPeakResident();
        try (ShareGroup group = new ShareGroup(broker, "g", topic, queues, count)) {
            figures.plain("%d members have joined".formatted(count), "s", group.join());
            group.consumeAll(broker, figures, "messages acquired and accepted, at once");
            for (int i = 1; i < ROUNDS; i++) {
                double unused = Filling.run(broker, frames, frames.count());
                group.consumeAll(broker, figures, "messages acquired and accepted, round " + (i + 1));
            }
            figures.plain("  RSS at its highest", "MB", broker.peakResidentMegabytes());
            double unused = Filling.run(broker, frames, frames.count());
            long before = group.acquired();
            group.consume(queues / 2, false);
            figures.plain("in flight, not accepted", "messages", (double) group.acquired() - before);
            figures.plain("RSS, half of the queues in flight", "MB", broker.residentMegabytes());
            broker.kill();
        }
        broker.startAgain();
        figures.atMost("ready after kill -9 with half in flight", "s", broker.startMillis() / 1e3, READY_SECONDS);
        try (ShareGroup group = new ShareGroup(broker, "g", topic, queues, count)) {
            figures.plain("  joined again", "s", group.join());
            Meter meter = new Meter(broker);
            group.consume(queues, true);
            figures.plain("  messages acquired and accepted", "messages/s", queues / meter.seconds());
            group.requireAllSeen();
            figures.plain("  more than that", "messages", (double) group.more());
            figures.plain("RSS at its highest", "MB", broker.peakResidentMegabytes());
        }
    }

    /** In the first round the broker's virtual machine still compiles. */
    private void consumeAll(RunningBroker broker, GoalTable figures, String what)
            throws IOException, BrokerFailedException {
        Meter meter = new Meter(broker);
        consume(queues, true);
        figures.atLeast(what, "messages/s", queues / meter.seconds(), PER_SECOND);
        figures.plain("  broker CPU a message", "us", meter.cpuSeconds() * 1e6 / queues);
        figures.plain("  load CPU a message", "us", meter.ownCpuSeconds() * 1e6 / queues);
        requireAllSeen();
    }

    private static void configure(RunningBroker broker) throws BrokerFailedException {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "g");
        AlterConfigOp earliest =
                new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Topics.settings(broker))) {
            Topics.await(
                    admin.incrementalAlterConfigs(Map.of(group, List.of(earliest)))
                            .all(),
                    "can't configure g");
            // Kafka creates the topic of the coordinator when a client looks for it. There is no such group yet.
            var unused = admin.describeShareGroups(List.of("g"));
        }
    }

    /** Returns the seconds until each partition has a member. */
    private double join() throws IOException, BrokerFailedException {
        long startNanos = System.nanoTime();
        Await.until(
                () -> {
                    for (ShareMember member : members) {
                        member.sendHeartbeat();
                    }
                    long partitions = 0;
                    long most = 0;
                    for (ShareMember member : members) {
                        int assigned = member.takeHeartbeat();
                        partitions += assigned;
                        most = Math.max(most, assigned);
                    }
                    return partitions == queues && most <= (queues + members.size() - 1) / members.size() + 1;
                },
                PATIENCE_SECONDS,
                BETWEEN_HEARTBEATS_MILLIS,
                () -> "not every partition has a member");
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** Acquires this number of messages, and accepts all of them or none. */
    private void consume(long messages, boolean accepts) throws BrokerFailedException {
        AtomicLong left = new AtomicLong(messages);
        Threads.run(THREADS, thread -> {
            List<ShareMember> own = new ArrayList<>();
            for (int i = thread; i < members.size(); i += THREADS) {
                own.add(members.get(i));
            }
            for (ShareMember member : own) {
                member.sendFetch(MAX_WAIT_MILLIS, accepts);
            }
            boolean more = true;
            while (more) {
                more = left.get() > 0;
                for (ShareMember member : own) {
                    long before = accepts ? member.accepted() : member.acquired();
                    member.takeFetch(seen.get(thread));
                    left.addAndGet(before - (accepts ? member.accepted() : member.acquired()));
                    if (more) {
                        member.sendFetch(MAX_WAIT_MILLIS, accepts);
                    }
                }
            }
        });
    }

    private void requireAllSeen() throws BrokerFailedException {
        BitSet all = new BitSet();
        seen.forEach(all::or);
        seen.forEach(BitSet::clear);
        if (all.cardinality() != queues) {
            throw new BrokerFailedException("messages of " + all.cardinality() + " queues came");
        }
    }

    /** Messages that should not be there: everything was accepted. */
    private long more() throws IOException, BrokerFailedException {
        long before = acquired();
        for (ShareMember member : members) {
            member.sendFetch(MAX_WAIT_MILLIS, true);
            member.takeFetch(seen.get(0));
        }
        return acquired() - before;
    }

    private long acquired() {
        return members.stream().mapToLong(ShareMember::acquired).sum();
    }

    @Override
    public void close() throws IOException {
        for (ShareMember member : members) {
            member.close();
        }
    }
}

package io.rivulet.bench.versus;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.lab.Wires;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.ApiKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Heartbeats of ten thousand members of stable groups, as fast as they are answered. A message is a heartbeat.
 * Immutable.
 */
final class HeartbeatCase extends Case {
    private static final String TOPIC = "heartbeats";
    private static final int GROUPS = 100;
    private static final int MEMBERS = 100;
    private static final int CONNECTIONS = 8;
    /** Members are silent while other groups are made. */
    private static final Map<String, String> PATIENT = Map.of("group.consumer.session.timeout.ms", "60000");

    private final GroupProtocol protocol;

    HeartbeatCase(GroupProtocol protocol) {
        super(
                "heartbeats-" + protocol.title(),
                "heartbeats, %s protocol: %,d members in %d groups"
                        .formatted(protocol.title(), GROUPS * MEMBERS, GROUPS),
                BOTH);
        this.protocol = protocol;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters counters = new Counters();
        List<ByteBuf> frames = new ArrayList<>();
        try (RunningBroker broker = lab.start(subject, PATIENT);
                Running running = new Running(broker)) {
            Topics.create(broker, TOPIC, MEMBERS);
            List<String> groups =
                    IntStream.range(0, GROUPS).mapToObj(i -> "group-" + i).toList();
            Coordinators.awaitGroups(broker, groups, TOPIC);
            long heapBefore = broker.liveHeapBytes();
            makeGroups(broker, groups, frames);
            double bytesEach = (double) (broker.liveHeapBytes() - heapBefore) / frames.size();
            for (int i = 0; i < CONNECTIONS; i++) {
                List<ByteBuf> share =
                        frames.subList(i * frames.size() / CONNECTIONS, (i + 1) * frames.size() / CONNECTIONS);
                running.start(new HeartbeatLoad(broker, share, counters));
            }
            return Meter.measure(broker, running, pace, counters).with(Metric.HEAP_BYTES_EACH, bytesEach);
        } finally {
            frames.forEach(ByteBuf::release);
        }
    }

    private void makeGroups(RunningBroker broker, List<String> groups, List<ByteBuf> frames)
            throws IOException, BrokerFailedException {
        if (protocol == GroupProtocol.CLASSIC) {
            makeClassicGroups(broker, groups, frames);
        } else {
            makeConsumerGroups(broker, groups, frames);
        }
    }

    private static void makeClassicGroups(RunningBroker broker, List<String> groups, List<ByteBuf> frames)
            throws IOException, BrokerFailedException {
        for (String group : groups) {
            try (ClassicMembers members = new ClassicMembers(broker, group, MEMBERS, TOPIC, MEMBERS)) {
                members.join();
                for (ClassicMember member : members.all()) {
                    frames.add(Wire.frame(
                            ApiKey.HEARTBEAT,
                            ClassicMember.HEARTBEAT_VERSION,
                            ClassicMember.heartbeat(group, member.id(), member.generation())));
                }
            }
        }
    }

    private static void makeConsumerGroups(RunningBroker broker, List<String> groups, List<ByteBuf> frames)
            throws IOException, BrokerFailedException {
        try (Wires wires = Wires.open(broker, MEMBERS)) {
            List<ConsumerMembers> all = groups.stream()
                    .map(group -> new ConsumerMembers(wires.all(), group, TOPIC, MEMBERS))
                    .toList();
            ConsumerMembers.settle(all);
            for (ConsumerMembers members : all) {
                for (ConsumerMembers.Member member : members.all()) {
                    frames.add(Wire.frame(
                            ApiKey.CONSUMER_GROUP_HEARTBEAT,
                            ConsumerMembers.VERSION,
                            ConsumerMembers.heartbeat(member.group, member.id, member.epoch())));
                }
            }
        }
    }
}

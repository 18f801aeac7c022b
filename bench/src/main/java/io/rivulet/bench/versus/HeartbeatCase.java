package io.rivulet.bench.versus;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.lab.Wires;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.PipelinedLoad;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.ApiKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Heartbeats of many members, each after the response to an earlier one. A message is a heartbeat. Immutable. */
final class HeartbeatCase extends Case {
    private static final String TOPIC = "heartbeats";
    private static final int GROUPS = 100;
    private static final int MEMBERS = 100;
    private static final int CONNECTIONS = 8;
    /** Members send no heartbeats while other groups are made. */
    private static final Map<String, String> PATIENT = Map.of("group.consumer.session.timeout.ms", "60000");

    private static final int ERROR_AT = 13;

    private final boolean isClassic;

    /** @param protocol classic or consumer */
    HeartbeatCase(String protocol) {
        super(
                "heartbeats-" + protocol,
                "heartbeats, %s protocol: %,d members in %d groups".formatted(protocol, GROUPS * MEMBERS, GROUPS),
                BOTH);
        this.isClassic = protocol.equals(RebalanceCase.CLASSIC);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters counters = new Counters();
        try (RunningBroker broker = lab.start(subject, PATIENT);
                Running running = new Running(broker)) {
            Topics.create(broker, TOPIC, MEMBERS);
            List<String> groups =
                    IntStream.range(0, GROUPS).mapToObj(i -> "group-" + i).toList();
            Coordinators.awaitGroups(broker, groups, TOPIC);
            long heapBefore = broker.liveHeapBytes();
            List<ByteBuf> all = isClassic ? makeClassicGroups(broker, groups) : makeConsumerGroups(broker, groups);
            double bytesEach = (double) (broker.liveHeapBytes() - heapBefore) / all.size();
            for (int i = 0; i < CONNECTIONS; i++) {
                List<ByteBuf> share = all.subList(i * all.size() / CONNECTIONS, (i + 1) * all.size() / CONNECTIONS);
                Frames frames = new Frames(share.size(), 1, HeartbeatCase::check, share::get);
                running.start(new PipelinedLoad(broker, frames, 0, counters));
            }
            return Meter.measure(broker, running, pace, counters).with(Metric.HEAP_BYTES_EACH, bytesEach);
        }
    }

    /** Responses of both protocols begin with: length 4 | correlation id 4 | tags 1 | throttle 4 | error 2. */
    private static void check(ByteBuffer buffer, int start) throws BrokerFailedException {
        short error = buffer.getShort(start + ERROR_AT);
        if (error != 0) {
            throw new BrokerFailedException("a heartbeat has error " + error);
        }
    }

    private static List<ByteBuf> makeClassicGroups(RunningBroker broker, List<String> groups)
            throws IOException, BrokerFailedException {
        List<ByteBuf> frames = new ArrayList<>();
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
        return frames;
    }

    private static List<ByteBuf> makeConsumerGroups(RunningBroker broker, List<String> groups)
            throws IOException, BrokerFailedException {
        List<ByteBuf> frames = new ArrayList<>();
        try (Wires wires = Wires.open(broker.port(), MEMBERS)) {
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
        return frames;
    }
}

package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wires;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** A group of many members over many partitions: all join at once, then one leaves. Immutable. */
final class RebalanceCase extends Case {
    private static final String TOPIC = "rebalance";
    private static final String GROUP = "group";

    private final GroupProtocol protocol;
    private final int members;
    private final int partitions;

    RebalanceCase(GroupProtocol protocol, int members, int partitions, Set<Subject> subjects) {
        super(
                "rebalance-" + protocol.title() + "-" + partitions,
                "rebalance, %s protocol: %,d members, %,d partitions".formatted(protocol.title(), members, partitions),
                subjects);
        this.protocol = protocol;
        this.members = members;
        this.partitions = partitions;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            Topics.create(broker, TOPIC, partitions);
            warmUp(broker);
            Coordinators.awaitGroups(broker, List.of(GROUP), TOPIC);
            double cpuBefore = broker.cpuSeconds();
            Figures figures = measure(broker, GROUP, members);
            return figures.with(Metric.BROKER_CPU_MILLIS, 1000 * (broker.cpuSeconds() - cpuBefore))
                    .with(Metric.RSS_MIB, broker.residentMib());
        }
    }

    /** Groups of another name and fewer members, for the compilers' sake. */
    private void warmUp(RunningBroker broker) throws IOException, BrokerFailedException {
        for (int i = 0; i < 3; i++) {
            String group = "warm-up-" + i;
            Coordinators.awaitGroups(broker, List.of(group), TOPIC);
            measure(broker, group, Math.max(2, members / 4));
        }
    }

    private Figures measure(RunningBroker broker, String group, int count) throws IOException, BrokerFailedException {
        if (protocol == GroupProtocol.CLASSIC) {
            try (ClassicMembers classic = new ClassicMembers(broker, group, count, TOPIC, partitions)) {
                double joinMillis = classic.join();
                int generation = classic.generation();
                return new Figures()
                        .with(Metric.JOIN_MILLIS, joinMillis)
                        .with(Metric.JOIN_STEPS, generation)
                        .with(Metric.LEAVE_MILLIS, classic.oneLeaves())
                        .with(Metric.LEAVE_STEPS, (double) classic.generation() - generation);
            }
        }
        try (Wires wires = Wires.open(broker, count)) {
            ConsumerMembers consumers = new ConsumerMembers(wires.all(), group, TOPIC, partitions);
            double joinMillis = consumers.settle();
            int rounds = consumers.rounds();
            return new Figures()
                    .with(Metric.JOIN_MILLIS, joinMillis)
                    .with(Metric.JOIN_STEPS, rounds)
                    .with(Metric.LEAVE_MILLIS, consumers.oneLeaves())
                    .with(Metric.LEAVE_STEPS, (double) consumers.rounds() - rounds);
        }
    }
}

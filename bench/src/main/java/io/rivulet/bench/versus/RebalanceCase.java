package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wires;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** A group of many members and partitions: all members join at once, then one leaves. Immutable. */
final class RebalanceCase extends Case {
    static final String CLASSIC = "classic";
    static final String CONSUMER = "consumer";
    private static final String TOPIC = "rebalance";
    private static final String GROUP = "group";

    private final boolean isClassic;
    private final int members;
    private final int partitions;

    /** @param protocol classic or consumer */
    RebalanceCase(String protocol, int members, int partitions, Set<Subject> subjects) {
        super(
                "rebalance-" + protocol + "-" + partitions,
                "rebalance, %s protocol: %,d members, %,d partitions".formatted(protocol, members, partitions),
                subjects);
        this.isClassic = protocol.equals(CLASSIC);
        this.members = members;
        this.partitions = partitions;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            Topics.create(broker, TOPIC, partitions);
            warmUp(broker);
            Coordinators.awaitGroups(broker, List.of(GROUP), TOPIC);
            Meter meter = new Meter(broker);
            Figures figures = measure(broker, GROUP, members);
            return figures.with(Metric.BROKER_CPU_MILLIS, 1000 * meter.cpuSeconds())
                    .with(Metric.RSS_MIB, broker.residentMib());
        }
    }

    /** Rebalances other groups with fewer members, until most code is compiled. */
    private void warmUp(RunningBroker broker) throws IOException, BrokerFailedException {
        for (int i = 0; i < 3; i++) {
            String group = "warm-up-" + i;
            Coordinators.awaitGroups(broker, List.of(group), TOPIC);
            measure(broker, group, Math.max(2, members / 4));
        }
    }

    private Figures measure(RunningBroker broker, String group, int count) throws IOException, BrokerFailedException {
        if (isClassic) {
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
        try (Wires wires = Wires.open(broker.port(), count)) {
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

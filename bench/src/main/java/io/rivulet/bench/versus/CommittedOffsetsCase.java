package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.lab.Wires;
import io.rivulet.bench.load.Commits;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.OffsetCommitRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A million committed offsets: the heap that they need, and the duration of a restart until all groups have them.
 * Immutable.
 */
final class CommittedOffsetsCase extends Case {
    private static final String TOPIC = "offsets";
    private static final int GROUPS = 1_000;
    private static final int PARTITIONS = 1_000;
    private static final int CONNECTIONS = 10;
    private static final long OFFSET = 7;

    CommittedOffsetsCase() {
        super(
                "offsets",
                "%,d committed offsets in %d groups, kill -9, restart".formatted(GROUPS * PARTITIONS, GROUPS),
                BOTH);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        List<String> groups =
                IntStream.range(0, GROUPS).mapToObj(i -> "group-" + i).toList();
        try (RunningBroker broker = lab.start(subject)) {
            Topics.create(broker, TOPIC, PARTITIONS);
            Coordinators.awaitGroups(broker, groups, TOPIC);
            long heapBefore = broker.liveHeapBytes();
            long startNanos = System.nanoTime();
            commit(broker, groups);
            double commitSeconds = (System.nanoTime() - startNanos) / 1e9;
            long heapAfter = broker.liveHeapBytes();
            broker.kill();
            startNanos = System.nanoTime();
            broker.startAgain();
            try (Wire wire = new Wire(broker.port())) {
                for (String group : groups) {
                    Coordinators.awaitCommitted(broker, wire, group, TOPIC, PARTITIONS - 1, OFFSET);
                }
            }
            return new Figures()
                    .with(Metric.COMMIT_SECONDS, commitSeconds)
                    .with(Metric.HEAP_BYTES_EACH, (double) (heapAfter - heapBefore) / (GROUPS * PARTITIONS))
                    .with(Metric.RESTART_SECONDS, (System.nanoTime() - startNanos) / 1e9)
                    .with(Metric.RSS_MIB, broker.residentMib());
        }
    }

    private static void commit(RunningBroker broker, List<String> groups) throws IOException, BrokerFailedException {
        try (Wires wires = Wires.open(broker.port(), CONNECTIONS)) {
            for (int i = 0; i < groups.size(); i += CONNECTIONS) {
                List<OffsetCommitRequest> requests = new ArrayList<>();
                for (String group : groups.subList(i, i + CONNECTIONS)) {
                    requests.add(Commits.request(group, TOPIC, IntStream.range(0, PARTITIONS), OFFSET));
                }
                Commits.commit(wires.all(), requests);
            }
        }
    }
}

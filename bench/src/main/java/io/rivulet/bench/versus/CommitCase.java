package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.lab.Wires;
import io.rivulet.bench.load.Commits;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.OffsetCommitRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Recorder;

/**
 * Commits the offsets of many partitions again and again, in one request or in several on several connections. Latency
 * is that of all requests together. A message is an offset. Immutable.
 */
final class CommitCase extends Case {
    private static final String TOPIC = "commits";
    private static final String GROUP = "group";
    private static final int MAX_CONNECTIONS = 10;
    /** Kafka has open files for no more. The case commits several times for each partition. */
    private static final int PARTITIONS_OF_KAFKA = 10_000;

    private final int requests;
    private final int partitionsPerRequest;

    CommitCase(int requests, int partitionsPerRequest) {
        super(
                "commit-" + requests + "x" + partitionsPerRequest,
                "commit of %,d offsets by %d request%s"
                        .formatted(requests * partitionsPerRequest, requests, requests == 1 ? "" : "s"),
                ALL);
        this.requests = requests;
        this.partitionsPerRequest = partitionsPerRequest;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Recorder latencies = Latency.recorder();
        try (RunningBroker broker = lab.start(subject);
                Wires wires = Wires.open(broker.port(), Math.min(requests, MAX_CONNECTIONS))) {
            int partitions = subject == Subject.KAFKA ? PARTITIONS_OF_KAFKA : requests * partitionsPerRequest;
            Topics.create(broker, TOPIC, partitions);
            Coordinators.awaitGroups(broker, List.of(GROUP), TOPIC);
            commitFor(pace.warmUpSeconds(), wires.all(), partitions, 0, latencies);
            latencies.reset();
            Meter meter = new Meter(broker);
            long commits = commitFor(pace.measuredSeconds(), wires.all(), partitions, 1 << 20, latencies);
            return meter.figures(commits * requests * partitionsPerRequest).with(Latency.of(latencies));
        }
    }

    private long commitFor(int seconds, List<Wire> wires, int partitions, long firstOffset, Recorder latencies)
            throws IOException, BrokerFailedException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long count = 0;
        while (count == 0 || System.nanoTime() < untilNanos) {
            long startNanos = System.nanoTime();
            for (int i = 0; i < requests; i += wires.size()) {
                List<OffsetCommitRequest> round = new ArrayList<>();
                for (int j = i; j < Math.min(requests, i + wires.size()); j++) {
                    round.add(Commits.request(
                            GROUP,
                            TOPIC,
                            IntStream.range(j * partitionsPerRequest, (j + 1) * partitionsPerRequest)
                                    .map(partition -> partition % partitions),
                            firstOffset + count));
                }
                Commits.commit(wires, round);
            }
            latencies.recordValue(System.nanoTime() - startNanos);
            count++;
        }
        return count;
    }
}

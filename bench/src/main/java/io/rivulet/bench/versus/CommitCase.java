package io.rivulet.bench.versus;

import io.rivulet.protocol.message.OffsetCommitRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Recorder;

/**
 * Commits of the offsets of many partitions again and again, in one request or in several on as many connections; latency is that of
 * all of them together. A message is an offset. Immutable.
 */
final class CommitCase implements Case {
    private static final String TOPIC = "commits";
    private static final String GROUP = "group";
    private static final int MAX_CONNECTIONS = 10;
    /** What it has the files for. It is asked to commit for each of them as often as makes the number. */
    private static final int PARTITIONS_OF_KAFKA = 10_000;

    private final int requests;
    private final int partitionsPerRequest;

    CommitCase(int requests, int partitionsPerRequest) {
        this.requests = requests;
        this.partitionsPerRequest = partitionsPerRequest;
    }

    @Override
    public String name() {
        return "commit-" + requests + "x" + partitionsPerRequest;
    }

    @Override
    public String title() {
        return "commit of %,d offsets by %d request%s"
                .formatted(requests * partitionsPerRequest, requests, requests == 1 ? "" : "s");
    }

    @Override
    public Set<Subject> subjects() {
        return Set.of(Subject.values());
    }

    @Override
    public Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        List<Wire> wires = new ArrayList<>();
        Recorder latencies = ProduceLoad.recorder();
        try (RunningBroker broker = lab.start(subject)) {
            int partitions = subject == Subject.KAFKA ? PARTITIONS_OF_KAFKA : requests * partitionsPerRequest;
            Topics.create(broker, subject, TOPIC, partitions);
            Coordinators.awaitGroups(broker, List.of(GROUP), TOPIC);
            for (int i = 0; i < Math.min(requests, MAX_CONNECTIONS); i++) {
                wires.add(new Wire(broker.port()));
            }
            commitFor(pace.warmUpSeconds(), wires, partitions, 0, latencies);
            latencies.reset();
            Meter meter = new Meter(broker);
            long commits = commitFor(pace.measuredSeconds(), wires, partitions, 1 << 20, latencies);
            return meter.figures(commits * requests * partitionsPerRequest)
                    .withLatencies(latencies.getIntervalHistogram());
        } finally {
            for (Wire wire : wires) {
                wire.close();
            }
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

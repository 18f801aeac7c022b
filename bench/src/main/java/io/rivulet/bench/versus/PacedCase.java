package io.rivulet.bench.versus;

import java.io.IOException;
import java.util.Set;
import org.HdrHistogram.Recorder;

/** Latency at a fixed rate, which leaves the broker time to rest. Immutable. */
final class PacedCase implements Case {
    private static final String TOPIC = "paced";
    private static final LoadShape SHAPE = new LoadShape(100, 1, 10);

    private final int requestsPerSecond;

    PacedCase(int requestsPerSecond) {
        this.requestsPerSecond = requestsPerSecond;
    }

    @Override
    public String name() {
        return "latency-" + requestsPerSecond;
    }

    @Override
    public String title() {
        return "latency at %,d requests/s: %d partitions, %d records a request"
                .formatted(requestsPerSecond, SHAPE.partitions(), SHAPE.recordsPerBatch());
    }

    @Override
    public Set<Subject> subjects() {
        return Set.of(Subject.values());
    }

    @Override
    public Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        ProduceFrames frames = ProduceFrames.of(TOPIC, SHAPE);
        Recorder latencies = ProduceLoad.recorder();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            Topics.create(broker, subject, TOPIC, SHAPE.partitions());
            Topics.awaitReady(broker, frames);
            start(running, broker, frames, requestsPerSecond, latencies);
            running.watch(pace.warmUpSeconds());
            latencies.reset();
            Meter meter = new Meter(broker);
            running.watch(pace.measuredSeconds());
            long messages = (long) requestsPerSecond * pace.measuredSeconds() * SHAPE.recordsPerBatch();
            return meter.figures(messages).withLatencies(latencies.getIntervalHistogram());
        }
    }

    static void start(
            Running running, RunningBroker broker, ProduceFrames frames, int requestsPerSecond, Recorder latencies)
            throws IOException {
        PacedLoad load = new PacedLoad(broker, frames, requestsPerSecond, latencies);
        running.start(load);
        running.start(load.receiver());
    }
}

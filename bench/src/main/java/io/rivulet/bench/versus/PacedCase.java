package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.PacedLoad;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import org.HdrHistogram.Recorder;

/** Latency at a fixed rate that the broker can easily keep up with. Immutable. */
final class PacedCase extends Case {
    private static final String TOPIC = "paced";
    private static final LoadShape SHAPE = new LoadShape(100, 1, 10);

    private final int requestsPerSecond;

    PacedCase(int requestsPerSecond) {
        super(
                "latency-" + requestsPerSecond,
                "latency at %,d requests/s: %d partitions, %d records a request"
                        .formatted(requestsPerSecond, SHAPE.partitions(), SHAPE.recordsPerBatch()),
                ALL);
        this.requestsPerSecond = requestsPerSecond;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Recorder latencies = Latency.recorder();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            ProduceFrames frames = Topics.createReady(broker, TOPIC, SHAPE);
            new PacedLoad(broker, frames, requestsPerSecond, latencies).start(running);
            running.watch(pace.warmUpSeconds());
            latencies.reset();
            Meter meter = new Meter(broker);
            running.watch(pace.measuredSeconds());
            long messages = (long) requestsPerSecond * pace.measuredSeconds() * SHAPE.recordsPerBatch();
            return meter.figures(messages).with(Latency.of(latencies));
        }
    }
}

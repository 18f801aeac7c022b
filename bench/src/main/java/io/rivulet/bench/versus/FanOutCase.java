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
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/**
 * One partition, written at a fixed rate, and many consumers that each follow it. A message counts once for each
 * consumer. Immutable.
 */
final class FanOutCase extends Case {
    private static final String TOPIC = "fan-out";
    private static final LoadShape SHAPE = new LoadShape(1, 1, 100);
    private static final int REQUESTS_PER_SECOND = 500;
    private static final int CONSUMERS = 10;

    FanOutCase() {
        super(
                "fan-out",
                "fan-out: %,d requests/s of %d records to %d consumers"
                        .formatted(REQUESTS_PER_SECOND, SHAPE.recordsPerBatch(), CONSUMERS),
                ALL);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Recorder latencies = Latency.recorder();
        LongAdder messages = new LongAdder();
        LongAdder bytes = new LongAdder();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            ProduceFrames frames = Topics.createReady(broker, TOPIC, SHAPE);
            new PacedLoad(broker, frames, REQUESTS_PER_SECOND, latencies).start(running);
            for (int i = 0; i < CONSUMERS; i++) {
                running.start(new FetchLoad(broker, TOPIC, FetchLoad.AtEnd.WAIT, messages, bytes));
            }
            running.watch(pace.warmUpSeconds());
            latencies.reset();
            long messagesBefore = messages.sum();
            long bytesBefore = bytes.sum();
            Meter meter = new Meter(broker);
            running.watch(pace.measuredSeconds());
            return meter.figures(messages.sum() - messagesBefore)
                    .with(Latency.of(latencies))
                    .withRate(Metric.READ_MIB_PER_SECOND, bytes.sum() - bytesBefore, pace.measuredSeconds());
        }
    }
}

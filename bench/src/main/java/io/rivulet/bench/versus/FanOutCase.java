package io.rivulet.bench.versus;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** One partition, written at a fixed rate, and many consumers that each follow it. Messages are those delivered. Stateless. */
final class FanOutCase implements Case {
    private static final String TOPIC = "fan-out";
    private static final LoadShape SHAPE = new LoadShape(1, 1, 100);
    private static final int REQUESTS_PER_SECOND = 500;
    private static final int CONSUMERS = 10;

    @Override
    public String name() {
        return "fan-out";
    }

    @Override
    public String title() {
        return "fan-out: %,d requests/s of %d records to %d consumers"
                .formatted(REQUESTS_PER_SECOND, SHAPE.recordsPerBatch(), CONSUMERS);
    }

    @Override
    public Set<Subject> subjects() {
        return Set.of(Subject.values());
    }

    @Override
    public Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        ProduceFrames frames = ProduceFrames.of(TOPIC, SHAPE);
        Recorder latencies = ProduceLoad.recorder();
        LongAdder messages = new LongAdder();
        LongAdder bytes = new LongAdder();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            Topics.create(broker, subject, TOPIC, SHAPE.partitions());
            Topics.awaitReady(broker, frames);
            PacedCase.start(running, broker, frames, REQUESTS_PER_SECOND, latencies);
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
                    .withLatencies(latencies.getIntervalHistogram())
                    .withRate(Metric.READ_MIB_PER_SECOND, bytes.sum() - bytesBefore, pace.measuredSeconds());
        }
    }
}

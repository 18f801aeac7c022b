package io.rivulet.bench.versus;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** A consumer that reads a full partition from the beginning, again and again, while a producer goes on at a fixed rate. Stateless. */
final class CatchUpCase implements Case {
    private static final String OLD = "old";
    private static final String NEW = "new";
    private static final LoadShape OLD_SHAPE = new LoadShape(1, 1, 500);
    private static final LoadShape NEW_SHAPE = new LoadShape(100, 1, 10);
    /** About 650 MB: more than a broker's own memory for what is new. */
    private static final long OLD_MESSAGES = 10_000_000;

    private static final int REQUESTS_PER_SECOND = 1_000;
    private static final int CONNECTIONS = 2;
    private static final int IN_FLIGHT = 5;

    @Override
    public String name() {
        return "catch-up";
    }

    @Override
    public String title() {
        return "catch-up reads while producing %,d requests/s".formatted(REQUESTS_PER_SECOND);
    }

    @Override
    public Set<Subject> subjects() {
        return Set.of(Subject.values());
    }

    @Override
    public Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        ProduceFrames frames = ProduceFrames.of(NEW, NEW_SHAPE);
        Recorder latencies = ProduceLoad.recorder();
        LongAdder messages = new LongAdder();
        LongAdder bytes = new LongAdder();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            Topics.create(broker, subject, NEW, NEW_SHAPE.partitions());
            Topics.awaitReady(broker, frames);
            fill(broker, subject);
            PacedCase.start(running, broker, frames, REQUESTS_PER_SECOND, latencies);
            running.watch(pace.warmUpSeconds());
            latencies.reset();
            running.watch(pace.measuredSeconds());
            double alone = latencies.getIntervalHistogram().getValueAtPercentile(99) / 1e6;
            running.start(new FetchLoad(broker, OLD, FetchLoad.AtEnd.START_AGAIN, messages, bytes));
            running.watch(pace.warmUpSeconds()); // nothing has been read before, so the compiler is not done with it
            latencies.reset();
            messages.reset();
            bytes.reset();
            Meter meter = new Meter(broker);
            running.watch(pace.measuredSeconds());
            return meter.figures(messages.sum())
                    .withLatencies(latencies.getIntervalHistogram())
                    .with(Metric.P99_ALONE_MILLIS, alone)
                    .withRate(Metric.READ_MIB_PER_SECOND, bytes.sum(), pace.measuredSeconds());
        }
    }

    private static void fill(RunningBroker broker, Subject subject) throws IOException, BrokerFailedException {
        ProduceFrames frames = ProduceFrames.of(OLD, OLD_SHAPE);
        Topics.create(broker, subject, OLD, OLD_SHAPE.partitions());
        Topics.awaitReady(broker, frames);
        LongAdder filled = new LongAdder();
        try (Running filling = new Running(broker)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                filling.start(new ProduceLoad(broker, frames, i, IN_FLIGHT, filled, ProduceLoad.recorder()));
            }
            while (filled.sum() < OLD_MESSAGES) {
                filling.watch(1);
            }
        }
    }
}

package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Filling;
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
 * A consumer that reads a full partition from the beginning, again and again, beside a producer with a fixed rate.
 * Immutable.
 */
final class CatchUpCase extends Case {
    private static final String OLD = "old";
    private static final String NEW = "new";
    private static final LoadShape OLD_SHAPE = new LoadShape(1, 1, 500);
    private static final LoadShape NEW_SHAPE = new LoadShape(100, 1, 10);
    /** About 650 MB: more than the broker keeps of new records in memory. */
    private static final long OLD_MESSAGES = 10_000_000;

    private static final int REQUESTS_PER_SECOND = 1_000;

    CatchUpCase() {
        super("catch-up", "catch-up reads while producing %,d requests/s".formatted(REQUESTS_PER_SECOND), ALL);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Recorder latencies = Latency.recorder();
        LongAdder messages = new LongAdder();
        LongAdder bytes = new LongAdder();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            ProduceFrames frames = Topics.createReady(broker, NEW, NEW_SHAPE);
            fill(broker);
            new PacedLoad(broker, frames, REQUESTS_PER_SECOND, latencies).start(running);
            running.watch(pace.warmUpSeconds());
            latencies.reset();
            running.watch(pace.measuredSeconds());
            double alone = Latency.of(latencies).p99();
            running.start(new FetchLoad(broker, OLD, FetchLoad.AtEnd.START_AGAIN, messages, bytes));
            running.watch(pace.warmUpSeconds()); // nothing has been read before, so the compiler is not done with it
            latencies.reset();
            messages.reset();
            bytes.reset();
            Meter meter = new Meter(broker);
            running.watch(pace.measuredSeconds());
            return meter.figures(messages.sum())
                    .with(Latency.of(latencies))
                    .with(Metric.P99_ALONE_MILLIS, alone)
                    .withRate(Metric.READ_MIB_PER_SECOND, bytes.sum(), pace.measuredSeconds());
        }
    }

    private static void fill(RunningBroker broker) throws IOException, BrokerFailedException {
        ProduceFrames frames = Topics.createReady(broker, OLD, OLD_SHAPE);
        Filling.run(broker, frames, OLD_MESSAGES / frames.messagesPerFrame());
    }
}

package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.Filling;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.PacedLoad;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;

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
        Counters counters = new Counters();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            ProduceFrames frames = Topics.createReady(broker, NEW, NEW_SHAPE);
            fill(broker);
            new PacedLoad(broker, frames, REQUESTS_PER_SECOND, counters.latencies()).start(running);
            running.watch(pace.warmUpSeconds());
            counters.latencies().reset();
            running.watch(pace.measuredSeconds());
            double alone = Latency.of(counters.latencies()).p99();
            running.start(new FetchLoad(broker, OLD, FetchLoad.AtEnd.START_AGAIN, counters));
            // Nothing has been read before, so the compiler has to warm up again.
            return Meter.measure(broker, running, pace, counters).with(Metric.P99_ALONE_MILLIS, alone);
        }
    }

    private static void fill(RunningBroker broker) throws IOException, BrokerFailedException {
        ProduceFrames frames = Topics.createReady(broker, OLD, OLD_SHAPE);
        Filling.run(broker, frames, OLD_MESSAGES / frames.messagesPerFrame());
    }
}

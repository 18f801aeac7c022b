package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Filling;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.PacedProducer;
import io.rivulet.bench.load.Topics;
import java.io.IOException;

/** A consumer reads a large partition again and again, beside a producer with a fixed rate. Immutable. */
final class CatchUpCase extends Case {
    private static final String OLD = "old";
    private static final LoadShape OLD_SHAPE = new LoadShape(1, 1, 500);
    /** About 650 MB: more than the tail in the broker's memory. */
    private static final long OLD_MESSAGES = 10_000_000;

    private static final int REQUESTS_PER_SECOND = 1_000;

    CatchUpCase() {
        super("catch-up", "catch-up reads while producing %,d requests/s".formatted(REQUESTS_PER_SECOND), ALL);
    }

    @Override
    Connections connections() {
        return Connections.PLAIN_OR_TLS;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            Frames frames = Topics.createReady(broker, OLD, OLD_SHAPE);
            Filling.run(broker, frames, OLD_MESSAGES / frames.messagesPerFrame());
            try (PacedProducer producer = new PacedProducer(broker, REQUESTS_PER_SECOND, pace.warmUpSeconds())) {
                producer.watch(pace.measuredSeconds());
                double alone = producer.latency().p99();
                producer.running().start(new FetchLoad(broker, OLD, FetchLoad.AtEnd.START_AGAIN, producer.counters()));
                // This warms up again, because nothing has been read before.
                return Meter.measure(broker, producer.running(), pace, producer.counters())
                        .with(Metric.P99_ALONE_MILLIS, alone);
            }
        }
    }
}

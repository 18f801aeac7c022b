package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.PacedLoad;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;

/**
 * A producer with a fixed rate to one partition, and many consumers that each read it. A message counts once for each
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
    Connections connections() {
        return Connections.PLAIN_OR_TLS;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters counters = new Counters();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            Frames frames = Topics.createReady(broker, TOPIC, SHAPE);
            new PacedLoad(broker, frames, REQUESTS_PER_SECOND, counters.latencies()).start(running);
            for (int i = 0; i < CONSUMERS; i++) {
                running.start(new FetchLoad(broker, TOPIC, FetchLoad.AtEnd.WAIT, counters));
            }
            return Meter.measure(broker, running, pace, counters);
        }
    }
}

package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.PacedLoad;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.Set;
import org.HdrHistogram.Recorder;

/**
 * One consumer of many partitions with one fetch session: how long the session takes to begin, and what a message to
 * one of the partitions costs, a thousand times a second. Latency is from the time when the message was due until the
 * consumer has it. Immutable.
 */
final class FetchSessionCase extends Case {
    private static final String TOPIC = "many";
    private static final int REQUESTS_PER_SECOND = 1_000;

    private final int partitions;

    FetchSessionCase(int partitions, Set<Subject> subjects) {
        super(
                "fetch-session-" + partitions,
                "one fetch session over %,d partitions, %,d messages/s".formatted(partitions, REQUESTS_PER_SECOND),
                subjects);
        this.partitions = partitions;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Frames frames = ProduceFrames.of(TOPIC, new LoadShape(partitions, 1, 1));
        Recorder unused = Latency.recorder();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            Topics.create(broker, TOPIC, partitions);
            Topics.awaitReady(broker, frames);
            SessionLoad session = new SessionLoad(broker, TOPIC, partitions);
            long startNanos = System.nanoTime();
            session.begin();
            double sessionSeconds = (System.nanoTime() - startNanos) / 1e9;
            PacedLoad paced = new PacedLoad(broker, frames, REQUESTS_PER_SECOND, unused);
            session.follow(paced, frames.count());
            running.start(session);
            paced.start(running);
            running.watch(pace.warmUpSeconds());
            session.latencies().reset();
            Meter meter = new Meter(broker);
            long before = session.messages();
            running.watch(pace.measuredSeconds());
            return meter.figures(session.messages() - before)
                    .with(Latency.of(session.latencies()))
                    .with(Metric.SESSION_SECONDS, sessionSeconds);
        }
    }
}

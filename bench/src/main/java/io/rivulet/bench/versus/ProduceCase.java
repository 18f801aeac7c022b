package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.LeaderFrames;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.PipelinedLoad;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.Set;

/** Encoded produce requests, sent as fast as they are answered. Immutable. */
final class ProduceCase extends Case {
    private static final String TOPIC = "load";
    /** Each has a connection to every leader. */
    private static final int CLIENTS = 2;

    private final LoadShape shape;

    ProduceCase(String name, LoadShape shape, Set<Subject> subjects) {
        super(
                name,
                "produce: %,d partition%s, %d record%s a batch, %d batch%s a request"
                        .formatted(
                                shape.partitions(),
                                shape.partitions() == 1 ? "" : "s",
                                shape.recordsPerBatch(),
                                shape.recordsPerBatch() == 1 ? "" : "s",
                                shape.batchesPerRequest(),
                                shape.batchesPerRequest() == 1 ? "" : "es"),
                subjects,
                shape.recordsPerBatch() == 1 ? shape.partitions() : 0);
        this.shape = shape;
    }

    @Override
    Connections connections() {
        return Connections.PLAIN_OR_TLS;
    }

    @Override
    boolean runsOnThree() {
        return true;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters counters = new Counters();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            double createSeconds = Topics.create(broker, TOPIC, shape.partitions());
            for (LeaderFrames each : LeaderFrames.ready(broker, TOPIC, shape)) {
                Frames frames = each.frames();
                for (int i = 0; i < CLIENTS; i++) {
                    int firstFrame = i * (frames.count() / CLIENTS);
                    running.start(new PipelinedLoad(each.leader(), frames, firstFrame, counters));
                }
            }
            return Meter.measure(broker, running, pace, counters).with(Metric.CREATE_SECONDS, createSeconds);
        }
    }
}

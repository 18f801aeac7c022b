package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.Set;

/**
 * Creates many partitions with a message in each, kills the broker, and measures the time until each accepts messages
 * again. Immutable.
 */
final class RestartCase extends Case {
    private static final String TOPIC = "restart";
    private static final int BATCHES_PER_REQUEST = 500;

    private final int partitions;

    RestartCase(int partitions, Set<Subject> subjects) {
        super(
                "restart-" + partitions,
                "create %,d partitions, a message in each, kill -9, restart".formatted(partitions),
                subjects,
                partitions);
        this.partitions = partitions;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Frames frames =
                ProduceFrames.of(TOPIC, new LoadShape(partitions, Math.min(partitions, BATCHES_PER_REQUEST), 1));
        try (RunningBroker broker = lab.start(subject)) {
            double createSeconds = Topics.create(broker, TOPIC, partitions);
            Topics.awaitReady(broker, frames);
            broker.kill();
            long startNanos = System.nanoTime();
            broker.startAgain();
            Topics.awaitReady(broker, frames);
            return new Figures()
                    .with(Metric.CREATE_SECONDS, createSeconds)
                    .with(Metric.RESTART_SECONDS, (System.nanoTime() - startNanos) / 1e9)
                    .with(Metric.RSS_MIB, broker.residentMib());
        }
    }
}

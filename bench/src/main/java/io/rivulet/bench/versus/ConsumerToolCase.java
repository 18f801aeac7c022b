package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.KafkaTool;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Filling;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Topics;
import java.io.IOException;

/** Kafka's ConsumerPerformance over one partition. It measures the client more than the broker. Immutable. */
final class ConsumerToolCase extends Case {
    private static final String TOPIC = "perf";
    private static final LoadShape SHAPE = new LoadShape(1, 1, 500);
    private static final int MESSAGES = 5_000_000;

    ConsumerToolCase() {
        super(
                "consumer-performance",
                "ConsumerPerformance, %,d messages of 58 bytes, 500 to a batch".formatted(MESSAGES),
                BOTH);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            Frames frames = Topics.createReady(broker, TOPIC, SHAPE);
            Filling.run(broker, frames, MESSAGES / frames.messagesPerFrame());
            Meter meter = new Meter(broker);
            String printed = KafkaTool.run(lab, broker, PerfTools.consume(broker, TOPIC, MESSAGES));
            return meter.figures(MESSAGES)
                    .with(Metric.MESSAGES_PER_SECOND, new PerfOutput(printed).consumedPerSecond(MESSAGES));
        }
    }
}

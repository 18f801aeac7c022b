package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.KafkaTool;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Topics;
import java.io.IOException;

/** Kafka's ProducerPerformance. It measures the client more than the broker. Immutable. */
final class ToolCase extends Case {
    private static final String TOPIC = "perf";
    private static final int RECORDS = 2_000_000;
    private static final int RECORD_BYTES = 100;

    ToolCase() {
        super(
                "producer-performance",
                "ProducerPerformance, %,d records of %d bytes, as fast as it can".formatted(RECORDS, RECORD_BYTES),
                ALL);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            Topics.create(broker, TOPIC, 1);
            Meter meter = new Meter(broker);
            String printed = KafkaTool.run(lab, broker, PerfTools.produce(broker, TOPIC, RECORDS, RECORD_BYTES));
            PerfOutput.Produced produced = new PerfOutput(printed).produced(RECORDS);
            return meter.figures(RECORDS)
                    .with(Metric.MESSAGES_PER_SECOND, produced.perSecond())
                    .with(Metric.P99_MILLIS, produced.p99Millis());
        }
    }
}

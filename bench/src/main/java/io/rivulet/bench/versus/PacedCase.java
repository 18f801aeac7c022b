package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.PacedProducer;
import java.io.IOException;

/** Latency at a fixed rate that is far below the broker's limit. Immutable. */
final class PacedCase extends Case {
    private final int requestsPerSecond;

    PacedCase(int requestsPerSecond) {
        super(
                "latency-" + requestsPerSecond,
                "latency at %,d requests/s: %d partitions, %d records a request"
                        .formatted(
                                requestsPerSecond,
                                PacedProducer.SHAPE.partitions(),
                                PacedProducer.SHAPE.recordsPerBatch()),
                ALL);
        this.requestsPerSecond = requestsPerSecond;
    }

    @Override
    Connections connections() {
        return Connections.PLAIN_OR_TLS;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject);
                PacedProducer producer = new PacedProducer(broker, requestsPerSecond, pace.warmUpSeconds())) {
            Meter meter = new Meter(broker);
            producer.watch(pace.measuredSeconds());
            long messages = (long) requestsPerSecond * pace.measuredSeconds() * PacedProducer.SHAPE.recordsPerBatch();
            return meter.figures(messages).with(producer.latency());
        }
    }
}

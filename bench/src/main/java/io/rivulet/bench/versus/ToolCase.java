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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kafka's ProducerPerformance. It measures the client more than the broker. Immutable. */
final class ToolCase extends Case {
    private static final String TOPIC = "perf";
    private static final int RECORDS = 2_000_000;
    private static final int RECORD_BYTES = 100;
    private static final Pattern PRODUCED =
            Pattern.compile(RECORDS + " records sent, ([0-9.]+) records/sec.* ([0-9.]+) ms 99th");

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
            Matcher printed = run(lab, broker);
            return meter.figures(RECORDS)
                    .with(Metric.MESSAGES_PER_SECOND, Double.parseDouble(printed.group(1)))
                    .with(Metric.P99_MILLIS, Double.parseDouble(printed.group(2)));
        }
    }

    private static Matcher run(Lab lab, RunningBroker broker) throws IOException, BrokerFailedException {
        String printed = KafkaTool.run(
                lab,
                broker,
                List.of(
                        "org.apache.kafka.tools.ProducerPerformance",
                        "--topic",
                        TOPIC,
                        "--num-records",
                        String.valueOf(RECORDS),
                        "--record-size",
                        String.valueOf(RECORD_BYTES),
                        "--throughput",
                        "-1",
                        "--producer-props",
                        "bootstrap.servers=localhost:" + broker.port()));
        Matcher matcher = PRODUCED.matcher(printed);
        if (!matcher.find()) {
            throw new BrokerFailedException("ProducerPerformance failed: " + printed.strip());
        }
        return matcher;
    }
}

package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.KafkaTool;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;
import java.util.List;

/** ConsumerPerformance under {@code consumer_byte_rate}. Immutable. */
final class FetchQuotaCase extends QuotaCase {
    private static final long TIMEOUT_MILLIS = 60_000;

    FetchQuotaCase() {
        super("quota-consume", "ConsumerPerformance", "consumer_byte_rate", "fetch-throttle-time");
    }

    @Override
    void prepare(Lab lab, RunningBroker broker) throws IOException, BrokerFailedException {
        new PerfOutput(KafkaTool.run(lab, broker, produce(broker, "unlimited"))).produced(RECORDS);
    }

    @Override
    List<String> tool(RunningBroker broker) {
        return PerfTools.consume(
                broker,
                TOPIC,
                RECORDS,
                "--command-property",
                "client.id=" + CLIENT,
                "--print-metrics",
                "--timeout",
                String.valueOf(TIMEOUT_MILLIS));
    }

    @Override
    double perSecond(PerfOutput output) throws BrokerFailedException {
        return output.consumedPerSecond(RECORDS);
    }
}

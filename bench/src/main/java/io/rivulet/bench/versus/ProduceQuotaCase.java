package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import java.util.List;

/** ProducerPerformance under {@code producer_byte_rate}. Immutable. */
final class ProduceQuotaCase extends QuotaCase {
    ProduceQuotaCase() {
        super("quota-produce", "ProducerPerformance", "producer_byte_rate", "produce-throttle-time");
    }

    @Override
    void prepare(Lab lab, RunningBroker broker) {
        // The topic is empty.
    }

    @Override
    List<String> tool(RunningBroker broker) {
        return produce(broker, CLIENT);
    }

    @Override
    double perSecond(PerfOutput output) throws BrokerFailedException {
        return output.produced(RECORDS).perSecond();
    }
}

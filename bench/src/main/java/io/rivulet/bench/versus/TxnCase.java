package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;

/**
 * Producers that run one transaction after the other, each with a record for each partition. Latency is that of EndTxn.
 * A message is a transaction. Immutable.
 */
final class TxnCase extends Case {
    private static final String TOPIC = "transactions";
    private static final int BATCHES_PER_REQUEST = 10;

    private final int producers;
    private final int partitions;

    TxnCase(int producers, int partitions) {
        super(
                "txn-" + producers + "x" + partitions,
                "transactions: %d producer%s, %,d partitions in each"
                        .formatted(producers, producers == 1 ? "" : "s", partitions),
                ALL);
        this.producers = producers;
        this.partitions = partitions;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters counters = new Counters();
        LoadShape shape = new LoadShape(partitions, BATCHES_PER_REQUEST, 1);
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            Topics.createReady(broker, TOPIC, shape);
            Coordinators.awaitFound(broker, Coordinators.OF_TRANSACTIONS, "producer-0");
            for (int i = 0; i < producers; i++) {
                running.start(new TxnProducer(broker, "producer-" + i, shape, TOPIC, 0, counters));
            }
            return Meter.measure(broker, running, pace, counters);
        }
    }
}

package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Running;
import io.rivulet.bench.load.Topics;
import java.io.IOException;

/** Readers with read_committed, in a partition where every tenth transaction was aborted. Immutable. */
final class ReadCommittedCase extends Case {
    private static final String TOPIC = "committed";
    private static final LoadShape SHAPE = new LoadShape(1, 1, 50);
    private static final int ABORT_EVERY = 10;
    private static final int PRODUCERS = 10;
    private static final long TRANSACTIONS = 10_000;
    private static final int READERS = 2;

    ReadCommittedCase() {
        super(
                "read-committed",
                "read_committed: %,d transactions of %d records, one in %d aborted, %d readers"
                        .formatted(TRANSACTIONS, SHAPE.recordsPerBatch(), ABORT_EVERY, READERS),
                BOTH);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters counters = new Counters();
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            Topics.createReady(broker, TOPIC, SHAPE);
            fill(broker);
            for (int i = 0; i < READERS; i++) {
                running.start(FetchLoad.ofCommitted(broker, TOPIC, counters));
            }
            return Meter.measure(broker, running, pace, counters);
        }
    }

    private static void fill(RunningBroker broker) throws IOException, BrokerFailedException {
        Coordinators.awaitFound(broker, Coordinators.OF_TRANSACTIONS, "producer-0");
        Counters counters = new Counters();
        try (Running filling = new Running(broker)) {
            for (int i = 0; i < PRODUCERS; i++) {
                filling.start(new TxnProducer(broker, "producer-" + i, SHAPE, TOPIC, ABORT_EVERY, counters));
            }
            while (counters.messages().sum() < TRANSACTIONS) {
                filling.watch(1);
            }
        }
    }
}

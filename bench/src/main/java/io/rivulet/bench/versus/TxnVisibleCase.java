package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.wire.Records;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;

/**
 * One transaction at a time, and a reader with read_committed. Latency is from the EndTxn request until the reader has
 * the record. A message is a transaction. Immutable.
 */
final class TxnVisibleCase extends Case {
    private static final String TOPIC = "visible";
    private static final LoadShape SHAPE = new LoadShape(10, 10, 1);
    private static final byte READ_COMMITTED = 1;
    private static final int MAX_WAIT_MILLIS = 5_000;
    /** A record and a marker. */
    private static final int OFFSETS_PER_TRANSACTION = 2;

    TxnVisibleCase() {
        super(
                "txn-visible",
                "commit of a transaction in %d partitions until a waiting reader has it".formatted(SHAPE.partitions()),
                ALL);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters counters = new Counters();
        Recorder latencies = counters.latencies();
        try (RunningBroker broker = lab.start(subject)) {
            Frames frames = Topics.createReady(broker, TOPIC, SHAPE);
            Coordinators.awaitFound(broker, Coordinators.OF_TRANSACTIONS, "producer");
            try (TxnProducer producer = new TxnProducer(broker, "producer", SHAPE, TOPIC, 0, counters);
                    Wire reader = new Wire(broker.port())) {
                producer.begin();
                long offset = frames.count();
                offset += OFFSETS_PER_TRANSACTION * run(pace.warmUpSeconds(), producer, reader, offset, latencies);
                latencies.reset();
                Meter meter = new Meter(broker);
                long transactions = run(pace.measuredSeconds(), producer, reader, offset, latencies);
                return meter.figures(transactions).with(Latency.of(latencies));
            }
        }
    }

    /** Returns the number of transactions. */
    private static long run(int seconds, TxnProducer producer, Wire reader, long firstOffset, Recorder latencies)
            throws IOException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long count = 0;
        while (System.nanoTime() < untilNanos) {
            FetchRequest request = FetchLoad.request(
                            TOPIC, 0, firstOffset + count * OFFSETS_PER_TRANSACTION, MAX_WAIT_MILLIS)
                    .isolationLevel(READ_COMMITTED);
            producer.produce();
            reader.send(ApiKey.FETCH, FetchLoad.VERSION, request);
            long startNanos = System.nanoTime();
            producer.end(true);
            while (!hasRecords((FetchResponse) reader.receive(ApiKey.FETCH, FetchLoad.VERSION))) {
                reader.send(ApiKey.FETCH, FetchLoad.VERSION, request);
            }
            latencies.recordValue(System.nanoTime() - startNanos);
            count++;
        }
        return count;
    }

    private static boolean hasRecords(FetchResponse response) {
        if (response.errorCode() != 0 || response.responses().isEmpty()) {
            return false;
        }
        FetchResponse.PartitionData data =
                response.responses().get(0).partitions().get(0);
        if (data.errorCode() != 0) {
            throw new IllegalStateException("a fetch has error " + data.errorCode());
        }
        Records records = data.records();
        return records != null && records.sizeInBytes() > 0;
    }
}

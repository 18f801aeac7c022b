package io.rivulet.bench.versus;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.lab.Wires;
import io.rivulet.bench.load.Batches;
import io.rivulet.bench.load.FetchLoad;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.wire.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A partition in which later records replace most others: how long its compaction takes, from the change of its
 * settings. It is done when fetches at several places find few records. A message is a record before the compaction.
 * Immutable.
 */
final class CompactionCase extends Case {
    private static final String TOPIC = "compacted";
    private static final int RECORDS = 2_000_000;
    private static final int KEYS = 100_000;
    private static final int VALUE_BYTES = 80;
    private static final int RECORDS_PER_BATCH = 500;
    private static final int CONNECTIONS = 4;
    private static final Map<String, String> AT_ONCE = Map.of("log.cleaner.backoff.ms", "100");
    private static final Map<String, String> EAGER =
            Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01", "segment.ms", "100");

    /** Where to fetch, as shares of all offsets. After the last place, most keys have no later record. */
    private static final double[] PLACES = {0, 0.3, 0.6, 0.85};

    private static final double MOST_LEFT = 0.5;
    private static final long PATIENCE_SECONDS = 120;
    private static final long BETWEEN_CHECKS_MILLIS = 50;

    CompactionCase() {
        super("compaction", "compaction of %,d records of %,d keys".formatted(RECORDS, KEYS), BOTH);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject, AT_ONCE);
                Wire wire = new Wire(broker.port())) {
            Topics.createReady(broker, TOPIC, new LoadShape(1, 1, 1));
            long bytes = fill(broker);
            Meter meter = new Meter(broker);
            long startNanos = System.nanoTime();
            Topics.configure(broker, TOPIC, EAGER);
            SplittableRandom random = new SplittableRandom(60);
            Await.until(
                    () -> {
                        // No broker compacts the newest records, so there must be newer ones than those of the case.
                        produce(List.of(wire), List.of(batch(random, 1)));
                        return isClean(wire);
                    },
                    PATIENCE_SECONDS,
                    BETWEEN_CHECKS_MILLIS,
                    () -> "not compacted");
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            return meter.figures(RECORDS)
                    .with(Metric.CLEAN_SECONDS, seconds)
                    .withRate(Metric.COMPACTED_MIB_PER_SECOND, bytes, seconds)
                    .with(Metric.PEAK_RSS_MIB, broker.peakResidentMib());
        }
    }

    /** Returns the number of bytes written. */
    private static long fill(RunningBroker broker) throws IOException, BrokerFailedException {
        SplittableRandom random = new SplittableRandom(59);
        long bytes = 0;
        try (Wires wires = Wires.open(broker.port(), CONNECTIONS)) {
            for (int i = 0; i < RECORDS; i += CONNECTIONS * RECORDS_PER_BATCH) {
                List<ByteBuf> batches = new ArrayList<>();
                for (int j = 0; j < CONNECTIONS; j++) {
                    batches.add(batch(random, RECORDS_PER_BATCH));
                }
                bytes += batches.stream().mapToLong(ByteBuf::readableBytes).sum();
                produce(wires.all(), batches);
            }
        }
        return bytes;
    }

    private static ByteBuf batch(SplittableRandom random, int records) {
        long now = System.currentTimeMillis();
        byte[] value = new byte[VALUE_BYTES];
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            for (int i = 0; i < records; i++) {
                random.nextBytes(value);
                String key = String.format(Locale.ROOT, "key-%06d", random.nextInt(KEYS));
                builder.append(now, key.getBytes(StandardCharsets.UTF_8), value);
            }
            return builder.build();
        }
    }

    /** Sends one batch on each connection, and releases the batches. */
    private static void produce(List<Wire> wires, List<ByteBuf> batches) throws IOException, BrokerFailedException {
        for (int i = 0; i < batches.size(); i++) {
            PartitionProduceData data = new PartitionProduceData().records(Records.of(batches.get(i)));
            ProduceRequest request = ProduceFrames.request(TOPIC, List.of(data));
            wires.get(i).send(ApiKey.PRODUCE, ProduceFrames.VERSION, request);
            batches.get(i).release();
        }
        for (int i = 0; i < batches.size(); i++) {
            short error = ((ProduceResponse) wires.get(i).receive(ApiKey.PRODUCE, ProduceFrames.VERSION))
                    .responses()
                    .get(0)
                    .partitionResponses()
                    .get(0)
                    .errorCode();
            if (error != 0) {
                throw new BrokerFailedException("a batch has error " + error);
            }
        }
    }

    private static boolean isClean(Wire wire) throws IOException {
        for (double place : PLACES) {
            if (shareLeft(wire, (long) (place * RECORDS)) > MOST_LEFT) {
                return false;
            }
        }
        return true;
    }

    /** The share of the fetched offsets that still have a record. */
    private static double shareLeft(Wire wire, long offset) throws IOException {
        FetchResponse response =
                (FetchResponse) wire.call(ApiKey.FETCH, FetchLoad.VERSION, FetchLoad.request(TOPIC, 0, offset, 0));
        long[] kept = {offset, 0};
        Batches.walk(response.responses().get(0).partitions().get(0).records(), (buffer, at, first, next) -> {
            kept[0] = next;
            kept[1] += buffer.getInt(at + RecordBatchLayout.RECORD_COUNT);
        });
        return kept[0] == offset ? 1 : (double) kept[1] / (kept[0] - offset);
    }
}

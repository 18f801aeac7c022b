package io.rivulet.bench.versus;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.PacedProducer;
import io.rivulet.bench.load.PipelinedLoad;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Latency of small requests while another connection sends messages of 100 MB without a pause. Immutable. */
final class BesideHugeCase extends Case {
    private static final String TOPIC = "huge";
    private static final int HUGE_BYTES = 100_000_000;
    private static final String MAX_MESSAGE_BYTES = "101000000";
    private static final int REQUESTS_PER_SECOND = 500;

    BesideHugeCase() {
        super(
                "latency-huge",
                "latency at %,d requests/s beside messages of 100 MB".formatted(REQUESTS_PER_SECOND),
                BOTH);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        Counters huge = new Counters();
        try (RunningBroker broker = lab.start(subject);
                PacedProducer producer = new PacedProducer(broker, REQUESTS_PER_SECOND, pace.warmUpSeconds())) {
            Topics.createReady(broker, TOPIC, new LoadShape(1, 1, 1));
            Topics.configure(broker, TOPIC, Map.of("max.message.bytes", MAX_MESSAGE_BYTES));
            Frames frames = frames();
            producer.forget();
            producer.watch(pace.measuredSeconds());
            Latency before = producer.latency();
            producer.running().start(new PipelinedLoad(broker, frames, 0, huge));
            producer.watch(pace.warmUpSeconds());
            producer.forget();
            huge.messages().reset();
            Meter meter = new Meter(broker);
            producer.watch(pace.measuredSeconds());
            long messages = (long) REQUESTS_PER_SECOND * pace.measuredSeconds() * PacedProducer.SHAPE.recordsPerBatch();
            return meter.figures(messages)
                    .with(producer.latency())
                    .with(Metric.P99_BEFORE_MILLIS, before.p99())
                    .withRate(Metric.HUGE_MIB_PER_SECOND, huge.messages().sum() * HUGE_BYTES, pace.measuredSeconds())
                    .with(Metric.PEAK_RSS_MIB, broker.peakResidentMib());
        }
    }

    private static Frames frames() {
        byte[] value = new byte[HUGE_BYTES];
        new SplittableRandom(61).nextBytes(value);
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.append(System.currentTimeMillis(), null, value);
            ByteBuf batch = builder.build();
            PartitionProduceData data = new PartitionProduceData().records(Records.of(batch));
            Frames frames = ProduceFrames.of(1, 1, i -> ProduceFrames.request(TOPIC, List.of(data)));
            batch.release();
            return frames;
        }
    }
}

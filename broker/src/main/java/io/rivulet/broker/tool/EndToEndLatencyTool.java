package io.rivulet.broker.tool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.client.TopicReader;
import io.rivulet.broker.client.TopicWriter;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.record.RecordBatchBuilder;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "e2e-latency",
        description = "Measure the time from the produce of a record to its arrival, as kafka-e2e-latency.sh does.")
public final class EndToEndLatencyTool extends DataTool {
    private static final ByteBufAllocator HEAP = UnpooledByteBufAllocator.DEFAULT;
    private static final int PRINTED_EVERY = 1000;
    private static final int WAIT_MILLIS = 1000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    @Option(names = "--topic", required = true, paramLabel = "name", description = "the topic")
    private String topic;

    @Option(names = "--num-records", required = true, paramLabel = "n", description = "the number of records")
    private int numRecords;

    @Option(names = "--record-size", paramLabel = "bytes", description = "bytes of a record", defaultValue = "100")
    private int recordSize;

    @Option(names = "--producer-acks", hidden = true, paramLabel = "1|all", description = "ignored: all")
    private @Nullable String unusedAcks;

    @Override
    void run(BrokerConnection broker, Output out) {
        TopicQueries topics = new TopicQueries(broker);
        TopicWriter writer = new TopicWriter(broker, topic);
        Latencies latencies = new Latencies();
        try (TopicReader reader =
                new TopicReader(broker, topic, topics.offsets(topics.require(topic, true), TopicQueries.LATEST))) {
            for (int i = 0; i < numRecords; i++) {
                long began = System.nanoTime();
                append(writer);
                await(reader, began);
                long nanos = System.nanoTime() - began;
                latencies.add(nanos, 1);
                if (i % PRINTED_EVERY == 0) {
                    out.printf("%d\t%s%n", i, nanos / 1e6);
                }
            }
        }
        if (out.isJson()) {
            out.single(JsonText.object("records", numRecords, "latencyMs", latencies.json()));
        }
        long[] percentiles = latencies.percentiles(0.5, 0.99, 0.999);
        out.printf("Avg latency: %.4f ms%n%n", latencies.averageMillis());
        out.printf("Percentiles: 50th = %d, 99th = %d, 99.9th = %d%n", percentiles[0], percentiles[1], percentiles[2]);
    }

    private void append(TopicWriter writer) {
        ByteBuf batch = new RecordBatchBuilder(HEAP)
                .append(System.currentTimeMillis(), null, new byte[recordSize])
                .build();
        try {
            writer.append(0, batch);
        } finally {
            batch.release();
        }
    }

    private void await(TopicReader reader, long began) {
        boolean[] arrived = {false};
        while (!arrived[0]) {
            if (System.nanoTime() - began > PATIENCE_NANOS) {
                throw new ClientException("no record has arrived from " + topic);
            }
            reader.read(WAIT_MILLIS, (partition, record) -> {
                arrived[0] = true;
                return true;
            });
        }
    }
}

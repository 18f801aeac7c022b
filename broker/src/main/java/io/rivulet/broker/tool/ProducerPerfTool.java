package io.rivulet.broker.tool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.client.TopicWriter;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.record.RecordBatchBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "producer-perf-test",
        description = {
            "Produce records as fast as possible, as kafka-producer-perf-test.sh does.",
            "It has one batch under way at a time, so a client library is faster.",
        })
public final class ProducerPerfTool extends DataTool {
    private static final ByteBufAllocator HEAP = UnpooledByteBufAllocator.DEFAULT;
    private static final String SERVERS = "bootstrap.servers=";
    private static final double BYTES_PER_MB = 1024.0 * 1024.0;

    @Option(names = "--topic", required = true, paramLabel = "name", description = "the topic")
    private String topic;

    @Option(names = "--num-records", required = true, paramLabel = "n", description = "the number of records")
    private long numRecords;

    @Option(names = "--record-size", paramLabel = "bytes", description = "bytes of a record", defaultValue = "100")
    private int recordSize;

    @Option(
            names = "--throughput",
            paramLabel = "n",
            description = "at most so many records a second; -1 (default) is no limit",
            defaultValue = "-1")
    private double throughput;

    @Option(
            names = "--batch-size",
            paramLabel = "bytes",
            description = "bytes of a batch (default: ${DEFAULT-VALUE})",
            defaultValue = "16384")
    private int batchSize;

    @Option(
            names = {"--producer-props", "--command-property"},
            arity = "1..*",
            paramLabel = "key=value",
            description = "bootstrap.servers=host:port; other properties are ignored")
    private List<String> properties = new ArrayList<>();

    @Option(names = "--print-metrics", hidden = true, description = "ignored")
    private boolean unusedMetrics;

    @Override
    @Nullable
    String servers() {
        return properties.stream()
                .filter(property -> property.startsWith(SERVERS))
                .map(property -> property.substring(SERVERS.length()))
                .findFirst()
                .orElse(super.servers());
    }

    @Override
    void run(BrokerConnection broker, Output out) {
        int partitions =
                new TopicQueries(broker).require(topic, true).partitions().size();
        TopicWriter writer = new TopicWriter(broker, topic);
        byte[] value = new byte[recordSize];
        Arrays.fill(value, (byte) 'x');
        int most = Math.max(1, batchSize / Math.max(1, recordSize));
        Latencies latencies = new Latencies();
        long began = System.nanoTime();
        int batches = 0;
        for (long sent = 0; sent < numRecords; ) {
            int count = (int) Math.min(most, numRecords - sent);
            waitUntil(began, sent);
            long asked = System.nanoTime();
            append(writer, batches++ % partitions, value, count);
            latencies.add(System.nanoTime() - asked, count);
            sent += count;
        }
        report(out, latencies, Math.max(1, System.nanoTime() - began) / 1e9);
    }

    private void waitUntil(long began, long sent) {
        if (throughput > 0) {
            long due = began + (long) (sent / throughput * TimeUnit.SECONDS.toNanos(1));
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private static void append(TopicWriter writer, int partition, byte[] value, int count) {
        RecordBatchBuilder builder = new RecordBatchBuilder(HEAP);
        long now = System.currentTimeMillis();
        for (int i = 0; i < count; i++) {
            builder.append(now, null, value);
        }
        ByteBuf batch = builder.build();
        try {
            writer.append(partition, batch);
        } finally {
            batch.release();
        }
    }

    private void report(Output out, Latencies latencies, double seconds) {
        long[] percentiles = latencies.percentiles(0.5, 0.95, 0.99, 0.999);
        if (out.isJson()) {
            out.single(JsonText.object(
                    "records",
                    numRecords,
                    "recordsPerSecond",
                    numRecords / seconds,
                    "megabytesPerSecond",
                    numRecords * (double) recordSize / BYTES_PER_MB / seconds,
                    "latencyMs",
                    latencies.json()));
        }
        out.printf(
                "%d records sent, %.1f records/sec (%.2f MB/sec), %.2f ms avg latency, %.2f ms max latency, "
                        + "%d ms 50th, %d ms 95th, %d ms 99th, %d ms 99.9th.%n",
                numRecords,
                numRecords / seconds,
                numRecords * (double) recordSize / BYTES_PER_MB / seconds,
                latencies.averageMillis(),
                latencies.maxMillis(),
                percentiles[0],
                percentiles[1],
                percentiles[2],
                percentiles[3]);
    }
}

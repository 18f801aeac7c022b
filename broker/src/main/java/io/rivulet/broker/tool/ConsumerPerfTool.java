package io.rivulet.broker.tool;

import io.netty.buffer.ByteBuf;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.client.TopicReader;
import io.rivulet.broker.json.JsonText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "consumer-perf-test",
        description = {
            "Consume records as fast as possible, as kafka-consumer-perf-test.sh does.",
            "It reads all partitions of the topic and joins no group.",
        })
public final class ConsumerPerfTool extends DataTool {
    private static final int WAIT_MILLIS = 500;
    private static final double BYTES_PER_MB = 1024.0 * 1024.0;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss:SSS").withZone(ZoneId.systemDefault());

    @Option(names = "--topic", required = true, paramLabel = "name", description = "the topic")
    private String topic;

    @Option(
            names = {"--num-records", "--messages"},
            required = true,
            paramLabel = "n",
            description = "end after n records")
    private long numRecords;

    @Option(
            names = "--timeout",
            paramLabel = "millis",
            description = "end when no record has arrived for so long (default: ${DEFAULT-VALUE})",
            defaultValue = "10000")
    private long timeoutMillis;

    @Option(names = "--from-latest", description = "start at the end")
    private boolean fromLatest;

    @Option(names = "--hide-header", description = "do not print the header")
    private boolean hideHeader;

    @Option(
            names = {"--group", "--fetch-size", "--socket-buffer-size", "--reporting-interval", "--command-property"},
            paramLabel = "value",
            hidden = true,
            description = "ignored")
    private @Nullable String unusedValue;

    private long records;
    private long bytes;

    @Override
    void run(BrokerConnection broker, Output out) {
        TopicQueries topics = new TopicQueries(broker);
        Instant start = Instant.now();
        long began = System.nanoTime();
        long lastRecord = began;
        try (TopicReader reader = new TopicReader(
                broker,
                topic,
                topics.offsets(
                        topics.require(topic, false), fromLatest ? TopicQueries.LATEST : TopicQueries.EARLIEST))) {
            boolean more = numRecords > 0;
            while (more && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastRecord) < timeoutMillis) {
                long before = records;
                more = reader.read((int) Math.min(WAIT_MILLIS, timeoutMillis), (partition, record) -> {
                    bytes += size(record.key()) + size(record.value());
                    return ++records < numRecords;
                });
                lastRecord = records > before ? System.nanoTime() : lastRecord;
            }
        }
        report(out, start, Math.max(1, lastRecord - began));
    }

    private static int size(@Nullable ByteBuf part) {
        return part == null ? 0 : part.readableBytes();
    }

    private void report(Output out, Instant start, long nanos) {
        if (!hideHeader) {
            out.println("start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, "
                    + "rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec");
        }
        double seconds = nanos / 1e9;
        double megabytes = bytes / BYTES_PER_MB;
        if (out.isJson()) {
            out.single(JsonText.object(
                    "startTime",
                    start,
                    "endTime",
                    start.plusNanos(nanos),
                    "bytes",
                    bytes,
                    "megabytesPerSecond",
                    megabytes / seconds,
                    "records",
                    records,
                    "recordsPerSecond",
                    records / seconds));
        }
        out.printf(
                "%s, %s, %.4f, %.4f, %d, %.4f, 0, %d, %.4f, %.4f%n",
                TIME.format(start),
                TIME.format(start.plusNanos(nanos)),
                megabytes,
                megabytes / seconds,
                records,
                records / seconds,
                TimeUnit.NANOSECONDS.toMillis(nanos),
                megabytes / seconds,
                records / seconds);
    }
}

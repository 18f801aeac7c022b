package io.rivulet.broker.tool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.client.TopicWriter;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.codec.Codec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "console-producer",
        description = "Produce each line of standard input, as kafka-console-producer.sh does.")
public final class ConsoleProducerTool extends Tool {
    private static final int MAX_BATCH_RECORDS = 1000;
    private static final int MAX_BATCH_BYTES = 512 << 10;
    private static final ByteBufAllocator HEAP = UnpooledByteBufAllocator.DEFAULT;

    @Option(
            names = "--topic",
            required = true,
            paramLabel = "name",
            description = "the topic; created if the broker allows that")
    private String topic;

    @Option(
            names = {"--property", "--reader-property"},
            paramLabel = "key=value",
            description = "parse.key=true: the text before key.separator (a tab) is the key")
    private Map<String, String> properties = new HashMap<>();

    @Option(
            names = {"--compression-codec", "--compression-type"},
            arity = "0..1",
            fallbackValue = "gzip",
            paramLabel = "codec",
            description = "none (default), gzip (if the codec is missing), snappy, lz4 or zstd")
    private String compression = "none";

    @Option(
            names = {"--request-required-acks", "--producer-property", "--command-property", "--batch-size", "--timeout"
            },
            paramLabel = "value",
            hidden = true,
            description = "ignored: the producer waits for each batch")
    private @Nullable String unusedValue;

    @Option(names = "--sync", hidden = true, description = "ignored: the producer waits for each batch")
    private boolean unusedSync;

    @Option(
            names = "--broker-list",
            hidden = true,
            paramLabel = "host:port",
            description = "an older name of --bootstrap-server")
    private @Nullable String brokerList;

    @Override
    @Nullable
    String servers() {
        return brokerList == null ? super.servers() : brokerList;
    }

    @Override
    void run(BrokerConnection broker, PrintWriter out) throws IOException {
        int partitions =
                new TopicQueries(broker).require(topic, true).partitions().size();
        TopicWriter appends = new TopicWriter(broker, topic);
        Map<Integer, RecordBatchBuilder> open = new LinkedHashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int unkeyed = 0;
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            Line line = split(text);
            int partition = line.key == null ? unkeyed % partitions : KeyPartitioner.partition(line.key, partitions);
            RecordBatchBuilder batch =
                    open.computeIfAbsent(partition, p -> new RecordBatchBuilder(HEAP).compression(codec()));
            batch.append(System.currentTimeMillis(), line.key, line.value);
            if (batch.recordCount() >= MAX_BATCH_RECORDS
                    || batch.uncompressedSizeInBytes() >= MAX_BATCH_BYTES
                    || !lines.ready()) {
                send(appends, open);
                unkeyed++;
            }
        }
        send(appends, open);
    }

    private static final class Line {
        final byte @Nullable [] key;
        final byte[] value;

        Line(@Nullable String key, String value) {
            this.key = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
            this.value = value.getBytes(StandardCharsets.UTF_8);
        }
    }

    private Line split(String line) {
        if (!Boolean.parseBoolean(properties.get("parse.key"))) {
            return new Line(null, line);
        }
        String separator = properties.getOrDefault("key.separator", "\t");
        int at = line.indexOf(separator);
        if (at < 0) {
            if (Boolean.parseBoolean(properties.get("ignore.error"))) {
                return new Line(null, line);
            }
            throw new ClientException("the line '" + line + "' has no key separator");
        }
        return new Line(line.substring(0, at), line.substring(at + separator.length()));
    }

    private Codec codec() {
        for (Codec known : Codec.values()) {
            if (known.configName().equals(compression)) {
                return known;
            }
        }
        throw misused("--compression-codec " + compression + " is not allowed: use none, gzip, snappy, lz4 or zstd");
    }

    private static void send(TopicWriter appends, Map<Integer, RecordBatchBuilder> open) {
        open.forEach((partition, builder) -> {
            ByteBuf batch = builder.build();
            try {
                appends.append(partition, batch);
            } finally {
                batch.release();
            }
        });
        open.clear();
    }
}

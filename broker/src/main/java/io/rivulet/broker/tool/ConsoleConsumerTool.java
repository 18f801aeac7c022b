package io.rivulet.broker.tool;

import io.netty.buffer.ByteBuf;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.OffsetAdmin;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.broker.client.TopicReader;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import io.rivulet.protocol.record.RecordHeaders;
import io.rivulet.protocol.record.RecordView;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "console-consumer",
        description = {
            "Print the records of a topic, as kafka-console-consumer.sh does.",
            "With --group it starts at the committed offsets of the group and commits when it ends. It does not"
                    + " join the group.",
        })
public final class ConsoleConsumerTool extends Tool {
    private static final int WAIT_MILLIS = 500;

    @Option(names = "--topic", required = true, paramLabel = "name", description = "the topic")
    private String topic;

    @Option(names = "--partition", paramLabel = "n", description = "read this partition only")
    private @Nullable Integer partition;

    @Option(
            names = "--offset",
            paramLabel = "earliest|latest|n",
            description = "start at this offset (default: latest)")
    private @Nullable String offset;

    @Option(names = "--from-beginning", description = "start at the first record")
    private boolean fromBeginning;

    @Option(names = "--max-messages", paramLabel = "n", description = "end after n records")
    private long maxMessages = Long.MAX_VALUE;

    @Option(names = "--timeout-ms", paramLabel = "millis", description = "end when no record has arrived for so long")
    private long timeoutMillis = Long.MAX_VALUE;

    @Option(names = "--group", paramLabel = "name", description = "the group whose committed offsets are used")
    private @Nullable String group;

    @Option(
            names = {"--property", "--formatter-property"},
            paramLabel = "key=value",
            description = {
                "print.key, print.value, print.offset, print.partition, print.timestamp, print.headers: true or false;",
                "key.separator, line.separator, headers.separator, null.literal",
            })
    private Map<String, String> properties = new HashMap<>();

    @Option(
            names = "--json",
            description = {
                "print an object on each line: topic, partition, offset, timestamp, key, value, headers;",
                "bytes that are no UTF-8 are in base64, as keyBase64, valueBase64",
            })
    private boolean json;

    @Option(
            names = {"--consumer-property", "--command-property", "--isolation-level", "--formatter"},
            paramLabel = "value",
            hidden = true,
            description = "ignored")
    private @Nullable String ignored;

    @Override
    void run(BrokerConnection broker, PrintWriter out) {
        SortedMap<Integer, Long> from = beginnings(broker);
        long[] printed = {0};
        boolean more = maxMessages > 0;
        long lastRecordNanos = System.nanoTime();
        try (TopicReader reads = new TopicReader(broker, topic, from)) {
            while (more
                    && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastRecordNanos) < timeoutMillis
                    && !out.checkError()) {
                long before = printed[0];
                more = reads.read((int) Math.min(WAIT_MILLIS, timeoutMillis), (where, record) -> {
                    if (json) {
                        out.println(JsonText.of(RecordJson.of(topic, where, record)));
                    } else {
                        print(out, where, record);
                    }
                    return ++printed[0] < maxMessages;
                });
                lastRecordNanos = printed[0] > before ? System.nanoTime() : lastRecordNanos;
            }
            if (group != null) {
                new OffsetAdmin(broker, group).commit(topic, reads.positions());
            }
        }
        out.flush();
    }

    private SortedMap<Integer, Long> beginnings(BrokerConnection broker) {
        TopicQueries topics = new TopicQueries(broker);
        MetadataResponseTopic found = topics.require(topic, true);
        boolean earliest = fromBeginning || "earliest".equals(offset);
        SortedMap<Integer, Long> from = topics.offsets(found, earliest ? TopicQueries.EARLIEST : TopicQueries.LATEST);
        if (offset != null && !offset.equals("earliest") && !offset.equals("latest")) {
            long begin = number("--offset", offset);
            from.replaceAll((index, latest) -> begin);
        }
        if (group != null) {
            from.putAll(new OffsetAdmin(broker, group).committed().getOrDefault(topic, new TreeMap<>()));
        }
        if (partition != null) {
            Long only = from.get(partition);
            if (only == null) {
                throw misused("--partition " + partition + ": the topic has " + from.size() + " partitions");
            }
            return new TreeMap<>(Map.of(partition, only));
        }
        return from;
    }

    private void print(PrintWriter out, int where, RecordView record) {
        String separator = properties.getOrDefault("key.separator", "\t");
        if (prints("print.timestamp", false)) {
            out.print("CreateTime:" + record.timestamp() + separator);
        }
        if (prints("print.partition", false)) {
            out.print("Partition:" + where + separator);
        }
        if (prints("print.offset", false)) {
            out.print("Offset:" + record.offset() + separator);
        }
        if (prints("print.headers", false)) {
            out.print(headers(record) + separator);
        }
        if (prints("print.key", false)) {
            out.print(text(record.key()) + separator);
        }
        if (prints("print.value", true)) {
            out.print(text(record.value()));
        }
        out.print(properties.getOrDefault("line.separator", "\n"));
    }

    private boolean prints(String property, boolean otherwise) {
        String value = properties.get(property);
        return value == null ? otherwise : Boolean.parseBoolean(value);
    }

    private String headers(RecordView record) {
        StringBuilder text = new StringBuilder();
        RecordHeaders headers = record.headers();
        while (headers.next()) {
            text.append(text.isEmpty() ? "" : properties.getOrDefault("headers.separator", ","))
                    .append(headers.key())
                    .append(':')
                    .append(text(headers.value()));
        }
        return text.isEmpty() ? "NO_HEADERS" : text.toString();
    }

    private String text(@Nullable ByteBuf bytes) {
        return bytes == null ? properties.getOrDefault("null.literal", "null") : bytes.toString(StandardCharsets.UTF_8);
    }
}

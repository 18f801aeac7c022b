package io.rivulet.broker.console;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.config.ConfigDescriptions;
import io.rivulet.broker.dynamic.ConfigSource;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker itself: where it is, how full its disk is, its settings. Thread-safe.
 *
 * @param token what requests that change something must have; null if nothing can be changed
 * @param cluster the part of this broker in a cluster; null if it is by itself
 */
record BrokerPages(
        ApiParts parts,
        Reads reads,
        @Nullable String token,
        @Nullable Supplier<ClusterFacts> cluster) {
    void broker(HttpExchange exchange) {
        reads.answer(exchange, reader -> ConsoleApi.json(broker(exchange.access())));
    }

    private JsonWriter broker(Access access) throws IOException {
        boolean seesAll = Rights.sees(access, Operation.DESCRIBE);
        JsonWriter json = new JsonWriter()
                .object()
                .field("node", parts.nodeId())
                .field("cluster", parts.clusterId())
                .field("token", token)
                .field(
                        "user",
                        access.principal().equals(Principal.ANONYMOUS)
                                ? null
                                : access.principal().name())
                .field("seesAll", seesAll)
                .field("seesSettings", Rights.sees(access, Operation.DESCRIBE_CONFIGS));
        return (seesAll ? all(json) : json).endObject();
    }

    private JsonWriter all(JsonWriter json) throws IOException {
        Runtime runtime = Runtime.getRuntime();
        FileStore disk = Files.getFileStore(parts.config().dataDirectory());
        if (cluster != null) {
            ShardJson.write(json.key("shard"), cluster.get());
        }
        return json.field("java", Runtime.version().toString())
                .field("directory", parts.config().dataDirectory().toString())
                .field("topics", parts.topics().size())
                .field("queues", parts.store().liveQueues())
                .field("diskBytes", disk.getTotalSpace())
                .field("diskFreeBytes", disk.getUsableSpace())
                .field("heapBytes", runtime.totalMemory() - runtime.freeMemory())
                .field("heapMostBytes", runtime.maxMemory());
    }

    void settings(HttpExchange exchange) {
        String node = String.valueOf(parts.nodeId());
        reads.answer(
                exchange, reader -> ConsoleApi.json(settings(ConfigDescriptions.of(parts, Resource.BROKER, node))));
    }

    /** Each setting with its value, where that comes from, and what the value would be otherwise. */
    static JsonWriter settings(List<DescribeConfigsResourceResult> configs) {
        JsonWriter json = new JsonWriter().object().key("settings").array();
        for (DescribeConfigsResourceResult config : configs) {
            json.object()
                    .field("name", config.name())
                    .field("value", config.value())
                    .field("source", source(config.configSource()))
                    .field("fixed", config.readOnly())
                    .field("secret", config.isSensitive())
                    .field("help", config.documentation())
                    .key("others")
                    .array();
            for (DescribeConfigsSynonym other : config.synonyms()) {
                json.object()
                        .field("source", source(other.source()))
                        .field("value", other.value())
                        .endObject();
            }
            json.endArray().endObject();
        }
        return json.endArray().endObject();
    }

    private static String source(byte code) {
        for (ConfigSource source : ConfigSource.values()) {
            if (source.code() == code) {
                return source.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            }
        }
        return "unknown";
    }
}

package io.rivulet.broker.console;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.config.ConfigDescriptions;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.topic.NameSearch;
import io.rivulet.broker.topic.Topic;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Topics: a search over all names, and one topic with its partitions and settings. Thread-safe. */
record TopicPages(ApiParts parts, Reads reads) {
    private static final int PAGE_ROWS = 100;
    /** More partitions than this are not added up for a row of a list. */
    private static final int MOST_SUMMED = 100;

    /** What the sizes of one page may take. The rows after that have none. */
    private static final long SIZES_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    // ---- all topics ----

    void list(HttpExchange exchange) {
        String part = ConsoleApi.optional(exchange, "search");
        String after = ConsoleApi.optional(exchange, "after");
        int most = (int) exchange.number("limit", PAGE_ROWS, 1, PAGE_ROWS);
        Access access = exchange.access();
        reads.answer(exchange, reader -> {
            NameSearch search = parts.topics().search(part, after, most, seenBy(access));
            JsonWriter json = new JsonWriter().object();
            if (access.isUnlimited()) { // to count what others see, it would have to ask for each topic
                json.field("all", parts.topics().size());
            }
            return ConsoleApi.json(list(json, search, reader));
        });
    }

    /** Null for all names. */
    private static @Nullable Predicate<String> seenBy(Access access) {
        return access.isUnlimited() ? null : name -> access.sees(Operation.DESCRIBE, ResourceType.TOPIC, name);
    }

    private JsonWriter list(JsonWriter json, NameSearch search, StoreReader reader) throws IOException {
        json.field("count", search.count())
                .field("more", search.hasMore())
                .key("rows")
                .array();
        long deadlineNanos = System.nanoTime() + SIZES_NANOS;
        for (String name : search.names()) {
            Topic topic = parts.topics().find(name);
            if (topic != null) {
                row(json, topic, reader, deadlineNanos);
            }
        }
        return json.endArray().endObject();
    }

    private void row(JsonWriter json, Topic topic, StoreReader reader, long deadlineNanos) throws IOException {
        int partitions = topic.partitionCount();
        json.object()
                .field("name", topic.name())
                .field("partitions", partitions)
                .field("internal", topic.isInternal());
        if (partitions <= MOST_SUMMED) {
            long records = 0;
            long bytes = 0;
            boolean inTime = true;
            for (int partition = 0; partition < partitions; partition++) {
                int queueId = topic.queueId(partition);
                if (parts.store().exists(queueId)) {
                    records += parts.store().endOffset(queueId) - parts.store().startOffset(queueId);
                    inTime &= System.nanoTime() - deadlineNanos < 0;
                    bytes += inTime ? reader.sizeBytes(queueId) : 0;
                }
            }
            json.field("records", records);
            if (inTime) {
                json.field("bytes", bytes);
            }
        }
        json.endObject();
    }

    // ---- one topic ----

    void topic(HttpExchange exchange) {
        String name = ConsoleApi.required(exchange, "name");
        reads.answer(exchange, reader -> {
            Topic topic = Rights.topic(exchange, parts, name);
            boolean seesConfig = exchange.access().sees(Operation.DESCRIBE_CONFIGS, ResourceType.TOPIC, name);
            try {
                return ConsoleApi.json(new JsonWriter()
                        .object()
                        .field("name", topic.name())
                        .field("id", topic.id().toString())
                        .field("partitions", topic.partitionCount())
                        .field("internal", topic.isInternal())
                        .key("config")
                        .json(BrokerPages.settings(
                                        seesConfig ? ConfigDescriptions.of(parts, Resource.TOPIC, name) : List.of())
                                .toString())
                        .endObject());
            } catch (RefusedException e) {
                throw ConsoleApi.refused(e);
            }
        });
    }

    void partitions(HttpExchange exchange) {
        String name = ConsoleApi.required(exchange, "topic");
        int from = (int) exchange.number("from", 0, 0, Integer.MAX_VALUE);
        reads.answer(
                exchange, reader -> ConsoleApi.json(partitions(Rights.topic(exchange, parts, name), from, reader)));
    }

    private JsonWriter partitions(Topic topic, int from, StoreReader reader) throws IOException {
        Store store = parts.store();
        int end = Math.min(topic.partitionCount(), Math.min(from, topic.partitionCount()) + PAGE_ROWS);
        JsonWriter json = new JsonWriter()
                .object()
                .field("count", topic.partitionCount())
                .key("rows")
                .array();
        for (int partition = from; partition < end; partition++) {
            int queueId = topic.queueId(partition);
            if (store.exists(queueId)) {
                json.object()
                        .field("partition", partition)
                        .field("start", store.startOffset(queueId))
                        .field("end", store.endOffset(queueId))
                        .field("tail", reader.tailStart(queueId))
                        .field("bytes", reader.sizeBytes(queueId))
                        .endObject();
            }
        }
        return json.endArray().endObject();
    }
}

package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.fetch.TimestampSearch;
import io.rivulet.broker.http.EventStream;
import io.rivulet.broker.http.HttpAnswer;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.broker.topic.Topic;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Records of a partition: pages of them, a single one, a file of them, and new ones as they come. Thread-safe. */
final class MessagePages {
    private static final int MOST_TAILS = 128;

    private final ApiParts parts;
    private final Reads reads;
    private final AtomicInteger tails = new AtomicInteger();

    MessagePages(ApiParts parts, Reads reads) {
        this.parts = parts;
        this.reads = reads;
    }

    /** Where a request wants to read. A negative offset or time is none. */
    private record Place(String topic, int partition, boolean newestFirst, long offset, long time) {
        static Place of(HttpExchange exchange) {
            return new Place(
                    ConsoleApi.required(exchange, "topic"),
                    (int) exchange.number("partition", 0, 0, Integer.MAX_VALUE),
                    ConsoleApi.optional(exchange, "order").equals("newest"),
                    exchange.number("offset", -1, -1, Long.MAX_VALUE),
                    exchange.number("time", -1, -1, Long.MAX_VALUE));
        }
    }

    /** The range of offsets of a partition at one moment, and where to begin in it. */
    private record Range(int queueId, long start, long end, long from) {}

    private Range range(HttpExchange exchange, Place place, StoreReader reader) throws IOException {
        Store store = parts.store();
        int queueId = Rights.records(exchange, parts, place.topic).queueId(place.partition);
        if (queueId == Topic.NO_QUEUE || !store.exists(queueId)) {
            throw ConsoleApi.notFound("topic '" + place.topic + "' has no partition " + place.partition);
        }
        long start = store.startOffset(queueId);
        long end = Math.max(start, store.endOffset(queueId));
        long from = place.newestFirst ? end : start;
        if (place.time >= 0) {
            from = firstFrom(place.time, queueId, start, end, reader);
        } else if (place.offset >= 0) {
            from = place.offset;
        }
        return new Range(queueId, start, end, Math.max(start, Math.min(end, from)));
    }

    private long firstFrom(long time, int queueId, long start, long end, StoreReader reader) throws IOException {
        try (TimestampSearch search = new TimestampSearch(parts.config().maxDecompressedBytes())) {
            TimestampSearch.Found found = search.firstFrom(reader, queueId, start, time);
            if (found != null) {
                return found.offset();
            }
            // The record is in a huge batch, which is not read here.
            return search.needsHuge() ? reader.seek(queueId, start, time) : end;
        }
    }

    private RecordPage read(Place place, Range range, RecordFilter filter, RecordPage.Bounds bounds, StoreReader reader)
            throws IOException {
        try (RecordReader records = new RecordReader(reader, parts.config().maxDecompressedBytes())) {
            RecordPage page = new RecordPage(records, range.queueId, place.partition, filter, bounds);
            if (place.newestFirst) {
                page.readBackwards(range.from, range.start);
            } else {
                page.readForwards(range.from, range.end);
            }
            return page;
        }
    }

    // ---- pages ----

    /** Makes an answer of what was read. */
    @FunctionalInterface
    private interface Show {
        HttpAnswer of(Place place, Range range, RecordPage page);
    }

    private void answer(HttpExchange exchange, RecordPage.Bounds bounds, Show show) {
        Place place = Place.of(exchange);
        RecordFilter filter = RecordFilter.of(exchange);
        reads.answer(exchange, reader -> {
            Range range = range(exchange, place, reader);
            return show.of(place, range, read(place, range, filter, bounds, reader));
        });
    }

    void page(HttpExchange exchange) {
        answer(exchange, RecordPage.Bounds.SCREEN, (place, range, page) -> {
            JsonWriter json = new JsonWriter()
                    .object()
                    .field("start", range.start)
                    .field("end", range.end)
                    .field("from", range.from)
                    .field("next", page.next())
                    .field("done", isDone(place, range, page))
                    .field("scanned", page.scanned())
                    .key("rows")
                    .array();
            page.rows().forEach(json::json);
            return ConsoleApi.json(json.endArray().endObject());
        });
    }

    private static boolean isDone(Place place, Range range, RecordPage page) {
        return place.newestFirst ? page.next() <= range.start : page.next() >= range.end;
    }

    /** A single record, with all its bytes. */
    void one(HttpExchange exchange) {
        answer(exchange, RecordPage.Bounds.ONE, (place, range, page) -> {
            if (place.newestFirst || page.rows().isEmpty() || range.from != place.offset) {
                throw ConsoleApi.notFound("there is no record at offset " + place.offset);
            }
            return ConsoleApi.json(new JsonWriter().json(page.rows().get(0)));
        });
    }

    /** Records as lines of JSON. If there are too many for an answer, the last line says where the next one begins. */
    void download(HttpExchange exchange) {
        answer(exchange, RecordPage.Bounds.FILE, (place, range, page) -> {
            ByteBuf lines = UnpooledByteBufAllocator.DEFAULT.heapBuffer();
            for (String row : page.rows()) {
                ByteBufUtil.writeUtf8(lines, row);
                lines.writeByte('\n');
            }
            if (!isDone(place, range, page)) {
                ByteBufUtil.writeUtf8(lines, "{\"incomplete\":true,\"next\":" + page.next() + "}\n");
            }
            String name = place.topic + "-" + place.partition + ".ndjson";
            Map<String, String> headers = Map.of("Content-Disposition", "attachment; filename=\"" + name + "\"");
            return new HttpAnswer(HttpResponseStatus.OK, "application/x-ndjson", headers, lines);
        });
    }

    // ---- live ----

    void tail(HttpExchange exchange) {
        Topic topic = Rights.records(exchange, parts, ConsoleApi.required(exchange, "topic"));
        int partition = (int) exchange.number("partition", -1, -1, Integer.MAX_VALUE);
        RecordFilter filter = RecordFilter.of(exchange);
        if (partition >= topic.partitionCount()) {
            throw ConsoleApi.notFound("topic '" + topic.name() + "' has no partition " + partition);
        }
        if (tails.get() >= MOST_TAILS) {
            throw new HttpProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many live tails");
        }
        EventStream stream = exchange.stream();
        if (stream != null) {
            tails.incrementAndGet();
            stream.whenClosed(tails::decrementAndGet);
            new LiveTail(parts, reads, stream, topic, partition, filter, tails).start(exchange);
        }
    }
}

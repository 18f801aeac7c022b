package io.rivulet.broker.console;

import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Counters of the last 15 minutes, one sample a second, as they were: the page makes rates of them. It begins with the
 * first look at it, and ends when there was none for 15 minutes. Owned by: the thread of the pages, except
 * {@link #stop}.
 */
final class History {
    private static final int SAMPLES = 15 * 60;
    private static final long INTERVAL_MILLIS = 1000;
    private static final Column[] COLUMNS = Column.values();

    /** What the columns are taken from. */
    record Moment(Store store, TopicTraffic.Totals traffic, long connections) {}

    /** What is sampled. The names are those in the JSON. */
    enum Column {
        TIME(moment -> System.currentTimeMillis()),
        MESSAGES_IN(moment -> moment.traffic().messagesIn()),
        BYTES_IN(moment -> moment.traffic().bytesIn()),
        BYTES_OUT(moment -> moment.traffic().bytesOut()),
        CONNECTIONS(Moment::connections),
        FORCES(of(StoreMetric.LOG_FORCES)),
        FORCE_NANOS(of(StoreMetric.LOG_FORCE_NANOS)),
        TAIL_CHUNKS(of(StoreMetric.TAIL_USED_CHUNKS)),
        TAIL_CAPACITY(of(StoreMetric.TAIL_CAPACITY_CHUNKS)),
        CACHE_HITS(of(StoreMetric.CACHE_TAIL_HITS, StoreMetric.CACHE_READ_AHEAD_HITS, StoreMetric.CACHE_SCAN_HITS)),
        CACHE_MISSES(
                of(StoreMetric.CACHE_TAIL_MISSES, StoreMetric.CACHE_READ_AHEAD_MISSES, StoreMetric.CACHE_SCAN_MISSES)),
        WRITTEN_BYTES(of(StoreMetric.LOG_WRITTEN_BYTES)),
        SWEPT_BYTES(of(StoreMetric.SWEPT_BYTES, StoreMetric.MERGED_BYTES, StoreMetric.COMPACTED_BYTES)),
        LOG_BYTES(of(StoreMetric.LOG_SIZE_BYTES)),
        BLOCK_BYTES(of(StoreMetric.BLOCK_BYTES));

        @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
        private final ToLongFunction<Moment> value;

        Column(ToLongFunction<Moment> value) {
            this.value = value;
        }

        private static ToLongFunction<Moment> of(StoreMetric... metrics) {
            return moment -> {
                long sum = 0;
                for (StoreMetric metric : metrics) {
                    sum += moment.store().metric(metric);
                }
                return sum;
            };
        }
    }

    private final ConsoleParts parts;
    private final long[][] samples = new long[SAMPLES][];
    /** The number of samples that were ever taken. */
    private long taken;

    private long lookedNanos;
    private boolean running;
    private volatile boolean stopped;

    History(ConsoleParts parts) {
        this.parts = parts;
    }

    void stop() {
        stopped = true;
    }

    /** The samples from number {@code from} on, each column as a list. */
    void answer(HttpExchange exchange) {
        long from = exchange.number("from", 0, 0, Long.MAX_VALUE);
        lookedNanos = System.nanoTime();
        if (!running) {
            running = true;
            sample(exchange);
        }
        exchange.answer(ConsoleApi.json(json(Math.max(from, taken - SAMPLES))));
    }

    private void sample(HttpExchange timer) {
        boolean forgotten = System.nanoTime() - lookedNanos > SAMPLES * INTERVAL_MILLIS * 1_000_000;
        if (forgotten || stopped) {
            running = false;
            return;
        }
        Moment moment = moment();
        long[] sample = new long[COLUMNS.length];
        for (int column = 0; column < COLUMNS.length; column++) {
            sample[column] = COLUMNS[column].value.applyAsLong(moment);
        }
        samples[(int) (taken % SAMPLES)] = sample;
        taken++;
        timer.later(INTERVAL_MILLIS, () -> sample(timer));
    }

    private Moment moment() {
        Store store = parts.broker().store();
        TopicTraffic traffic = parts.traffic();
        long connections = parts.server().connections().stream()
                .mapToLong(ServerFacts.Connections::open)
                .sum();
        return new Moment(
                store, traffic == null ? TopicTraffic.Totals.NONE : traffic.totals(store::exists), connections);
    }

    private JsonWriter json(long from) {
        long first = Math.min(from, taken);
        JsonWriter json = new JsonWriter().object().field("next", taken).field("first", first);
        for (int column = 0; column < COLUMNS.length; column++) {
            json.key(COLUMNS[column].name().toLowerCase(Locale.ROOT)).array();
            for (long i = first; i < taken; i++) {
                json.value(samples[(int) (i % SAMPLES)][column]);
            }
            json.endArray();
        }
        return json.endObject();
    }
}

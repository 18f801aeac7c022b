package io.rivulet.broker.top;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is taken from one reading of the page: totals, topics, and groups with their topics. Topics and groups beyond a
 * limit are only counted.
 *
 * <p>Owned by: one thread.
 */
final class Reading {
    /** More than a page of a broker has: rivulet.metrics.topics is at most 10,000. */
    static final int MAX_ROWS = 20_000;

    /** Longer than the name of any topic. A group may have a longer one, of which the rest is cut off. */
    static final int MAX_NAME = 300;

    /** The same requests as Fetch. */
    private static final String FETCH_AGAIN = "FetchConsumer";

    private static final String P99 = "0.99";

    private final long nanos;
    private final Map<Series, Double> totals = new EnumMap<>(Series.class);
    private final Map<String, Counts> topics = new HashMap<>();
    private final Map<GroupTopic, Lag> lags = new HashMap<>();
    private final Map<String, Double> requests = new HashMap<>();
    private final Map<String, Double> slowestMillis = new HashMap<>();
    private int omittedRows;

    /** @param nanos when the page was read */
    Reading(long nanos) {
        this.nanos = nanos;
    }

    /** The topics of a group. Immutable. */
    record GroupTopic(String group, String topic) {}

    /** What a topic has received and sent so far. Immutable. */
    record Counts(double messagesIn, double bytesIn, double bytesOut) {
        static final Counts NONE = new Counts(0, 0, 0);

        Counts plus(Series series, double value) {
            return new Counts(
                    messagesIn + (series == Series.MESSAGES_IN ? value : 0),
                    bytesIn + (series == Series.BYTES_IN ? value : 0),
                    bytesOut + (series == Series.BYTES_OUT ? value : 0));
        }
    }

    /** How far a group is behind. Immutable. */
    record Lag(double offsets, @Nullable Double seconds) {
        static final Lag NONE = new Lag(0, null);

        Lag plus(Series series, double value) {
            return series == Series.LAG
                    ? new Lag(offsets + value, seconds)
                    : new Lag(offsets, seconds == null ? value : Math.max(seconds, value));
        }
    }

    /** Adds a line of the page. */
    void add(String line) {
        Sample sample = Sample.parse(line);
        Series series = sample == null ? null : Series.named(sample.name());
        if (sample == null || series == null || !Double.isFinite(sample.value())) {
            return;
        }
        switch (series) {
            case MESSAGES_IN, BYTES_IN, BYTES_OUT -> addOfTopic(series, sample);
            case LAG, LAG_SECONDS -> addLag(series, sample);
            case REQUESTS -> addRequests(sample);
            case TIMES -> addTime(sample);
            default -> totals.merge(series, sample.value(), Double::sum);
        }
    }

    private void addOfTopic(Series series, Sample sample) {
        String topic = sample.labels().get("topic");
        if (topic == null) {
            totals.put(series, sample.value());
        } else if (hasRoom(topics, cut(topic))) {
            topics.put(cut(topic), topics.getOrDefault(cut(topic), Counts.NONE).plus(series, sample.value()));
        }
    }

    private void addLag(Series series, Sample sample) {
        GroupTopic row = new GroupTopic(cut(sample.label("consumergroup")), cut(sample.label("topic")));
        if (hasRoom(lags, row)) {
            lags.put(row, lags.getOrDefault(row, Lag.NONE).plus(series, sample.value()));
        }
    }

    private static String cut(String name) {
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME);
    }

    private <K> boolean hasRoom(Map<K, ?> rows, K key) {
        boolean hasRoom = rows.size() < MAX_ROWS || rows.containsKey(key);
        omittedRows += hasRoom ? 0 : 1;
        return hasRoom;
    }

    private void addRequests(Sample sample) {
        String api = sample.label("request");
        if (!api.equals(FETCH_AGAIN)) {
            totals.merge(Series.REQUESTS, sample.value(), Double::sum);
            if (isShown(api)) {
                requests.merge(api, sample.value(), Double::sum);
            }
        }
    }

    private void addTime(Sample sample) {
        if (isShown(sample.label("request")) && sample.label("quantile").equals(P99)) {
            slowestMillis.put(sample.label("request"), sample.value());
        }
    }

    private static boolean isShown(String api) {
        return api.equals("Produce") || api.equals("Fetch");
    }

    // ---- what was read ----

    long nanos() {
        return nanos;
    }

    /** Whether this was the page of a broker. */
    boolean isOfRivulet() {
        return totals.containsKey(Series.MESSAGES_IN) && totals.containsKey(Series.FSYNCS);
    }

    /** Null if the page has no such series. */
    @Nullable
    Double total(Series series) {
        return totals.get(series);
    }

    /** Requests of this API that have ended; null if there is no such series. */
    @Nullable
    Double requests(String api) {
        return requests.get(api);
    }

    /** The time in which 99 % of the requests ended. */
    @Nullable
    Double p99Millis(String api) {
        return slowestMillis.get(api);
    }

    Map<String, Counts> topics() {
        return Collections.unmodifiableMap(topics);
    }

    Map<GroupTopic, Lag> lags() {
        return Collections.unmodifiableMap(lags);
    }

    boolean isComplete() {
        return omittedRows == 0;
    }
}

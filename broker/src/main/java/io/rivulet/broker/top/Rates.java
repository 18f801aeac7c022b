package io.rivulet.broker.top;

import io.rivulet.broker.top.Frame.GroupRow;
import io.rivulet.broker.top.Frame.TopicRow;
import io.rivulet.broker.top.Reading.Counts;
import io.rivulet.broker.top.Reading.GroupTopic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The difference of two readings. A counter that has fallen began again at 0, because the broker was restarted or a
 * topic was created again. So a rate is never negative.
 *
 * <p>Owned by: one thread.
 */
final class Rates {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Reading before;
    private final Reading now;
    private final double seconds;
    private final boolean restarted;
    private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);

    private Rates(Reading before, Reading now) {
        this.before = before;
        this.now = now;
        this.seconds = Math.max(1, now.nanos() - before.nanos()) / NANOS_PER_SECOND;
        this.restarted = !Objects.equals(before.total(Series.STARTED), now.total(Series.STARTED));
    }

    /** The order of topics. The names are those of the option. */
    enum Sort {
        in(Comparator.comparingDouble(TopicRow::bytesIn)),
        out(Comparator.comparingDouble(TopicRow::bytesOut)),
        lag(Comparator.comparingDouble(row -> row.lag() == null ? 0 : row.lag()));

        @SuppressWarnings("ImmutableEnumChecker") // it has no state
        private final Comparator<TopicRow> order;

        Sort(Comparator<TopicRow> ascending) {
            order = ascending
                    .reversed()
                    .thenComparing(Comparator.comparingDouble(TopicRow::bytesIn).reversed())
                    .thenComparing(TopicRow::topic);
        }
    }

    static Frame between(Reading before, Reading now, Sort sort) {
        Rates rates = new Rates(before, now);
        rates.addFigures();
        return new Frame(rates.seconds, rates.restarted, rates.figures, rates.topics(sort), rates.lags());
    }

    private void addFigures() {
        add(Figure.MESSAGES_IN, rate(Series.MESSAGES_IN));
        add(Figure.BYTES_IN, rate(Series.BYTES_IN));
        add(Figure.BYTES_OUT, rate(Series.BYTES_OUT));
        add(Figure.REQUESTS, rate(Series.REQUESTS));
        add(Figure.PRODUCE_REQUESTS, perSecond(before.requests("Produce"), now.requests("Produce")));
        add(Figure.FETCH_REQUESTS, perSecond(before.requests("Fetch"), now.requests("Fetch")));
        add(Figure.PRODUCE_P99, now.p99Millis("Produce"));
        add(Figure.FETCH_P99, now.p99Millis("Fetch"));
        add(Figure.FSYNCS, rate(Series.FSYNCS));
        add(Figure.FSYNC_MILLIS, ratio(growth(Series.FSYNC_SECONDS, MILLIS_PER_SECOND), growth(Series.FSYNCS, 1)));
        add(Figure.TAIL_USED, ratio(now.total(Series.TAIL_USED), now.total(Series.TAIL_CAPACITY)));
        Double hits = growth(Series.CACHE_HITS, 1);
        Double misses = growth(Series.CACHE_MISSES, 1);
        add(Figure.CACHE_HITS, hits == null || misses == null ? null : ratio(hits, hits + misses));
        add(Figure.CONNECTIONS, now.total(Series.CONNECTIONS));
        add(Figure.TOPICS, now.total(Series.TOPICS));
        add(Figure.PARTITIONS, now.total(Series.PARTITIONS));
        add(Figure.RESIDENT, now.total(Series.RESIDENT));
        add(Figure.DISK_USABLE, now.total(Series.DISK_USABLE));
    }

    private void add(Figure figure, @Nullable Double value) {
        if (value != null) {
            figures.put(figure, value);
        }
    }

    private @Nullable Double rate(Series series) {
        return perSecond(before.total(series), now.total(series));
    }

    private @Nullable Double growth(Series series, double factor) {
        Double rate = rate(series);
        return rate == null ? null : rate * seconds * factor;
    }

    private @Nullable Double perSecond(@Nullable Double from, @Nullable Double to) {
        return to == null ? null : growth(from == null ? 0 : from, to) / seconds;
    }

    private double growth(double from, double to) {
        return restarted || to < from ? to : to - from;
    }

    /** Null if there is nothing to divide by. */
    private static @Nullable Double ratio(@Nullable Double part, @Nullable Double whole) {
        return part == null || whole == null || whole <= 0 ? null : part / whole;
    }

    private List<TopicRow> topics(Sort sort) {
        Map<String, Double> lags = new HashMap<>();
        now.lags().forEach((row, lag) -> lags.merge(row.topic(), lag.offsets(), Double::sum));
        List<TopicRow> rows = new ArrayList<>();
        now.topics().forEach((topic, counts) -> {
            // Beyond the limit of rows, a topic that is not in the reading before may have been omitted there.
            Counts old = before.topics().getOrDefault(topic, before.isComplete() ? Counts.NONE : counts);
            rows.add(new TopicRow(
                    topic,
                    growth(old.messagesIn(), counts.messagesIn()) / seconds,
                    growth(old.bytesIn(), counts.bytesIn()) / seconds,
                    growth(old.bytesOut(), counts.bytesOut()) / seconds,
                    lags.get(topic)));
        });
        rows.sort(sort.order);
        return rows;
    }

    private List<GroupRow> lags() {
        List<GroupRow> rows = new ArrayList<>();
        for (Map.Entry<GroupTopic, Reading.Lag> entry : now.lags().entrySet()) {
            GroupTopic row = entry.getKey();
            Reading.Lag lag = entry.getValue();
            rows.add(new GroupRow(row.group(), row.topic(), lag.offsets(), lag.seconds()));
        }
        rows.sort(Comparator.comparingDouble(GroupRow::lag)
                .reversed()
                .thenComparing(GroupRow::group)
                .thenComparing(GroupRow::topic));
        return rows;
    }
}

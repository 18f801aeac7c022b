package io.rivulet.broker.top;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a broker did between two readings. Immutable.
 *
 * @param seconds between them
 * @param restarted whether the broker was started between them
 * @param figures those that are known
 * @param topics all that have series, in the order that was asked for
 * @param lags of groups, the largest first; empty if the page has none
 */
record Frame(
        double seconds, boolean restarted, Map<Figure, Double> figures, List<TopicRow> topics, List<GroupRow> lags) {
    Frame {
        figures = Map.copyOf(figures);
        topics = List.copyOf(topics);
        lags = List.copyOf(lags);
    }

    /**
     * Rates by second. Immutable.
     *
     * @param lag of all groups; null if it is not known
     */
    record TopicRow(
            String topic,
            double messagesIn,
            double bytesIn,
            double bytesOut,
            @Nullable Double lag) {}

    /** Immutable. */
    record GroupRow(
            String group,
            String topic,
            double lag,
            @Nullable Double seconds) {}

    /** Null if it is not known. */
    @Nullable
    Double figure(Figure figure) {
        return figures.get(figure);
    }
}

package io.rivulet.broker.metrics;

import io.rivulet.broker.lag.LagSeries;
import io.rivulet.broker.lag.Lags;
import java.util.List;

/** The lag of groups as text. Stateless. */
final class GroupSeries {
    private static final double MILLIS_PER_SECOND = 1e3;

    private GroupSeries() {}

    static void write(TextWriter text, Lags lags, long nowMillis) {
        List<LagSeries> all = lags.series();
        text.head(Metric.GROUP_LAG);
        all.forEach(each -> text.sample(each.lag(), labels(each)));
        text.head(Metric.GROUP_OFFSETS);
        all.forEach(each -> text.sample(each.offsets(), labels(each)));
        text.head(Metric.GROUP_LAG_SECONDS);
        for (LagSeries each : all) {
            double seconds = each.lagSeconds(nowMillis);
            if (!each.topic().equals(LagSeries.OTHER) && seconds >= 0) {
                text.sample(seconds, labels(each));
            }
        }
        if (all.isEmpty()) {
            text.head(Metric.GROUP_LAG_AGE); // unknown: no round has ended
        } else {
            text.only(Metric.GROUP_LAG_AGE, Math.max(0, nowMillis - lags.madeMillis()) / MILLIS_PER_SECOND);
        }
        text.only(Metric.GROUPS_WITH_SERIES, Math.max(0, all.size() - 1));
    }

    private static String[] labels(LagSeries series) {
        return new String[] {"consumergroup", series.group(), "topic", series.topic()};
    }
}

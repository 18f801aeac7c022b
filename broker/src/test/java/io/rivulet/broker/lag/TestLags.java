package io.rivulet.broker.lag;

import java.util.List;

/** Results of rounds that tests make up. */
public final class TestLags {
    private TestLags() {}

    /** One group with lag in one topic, whose first record that is not consumed has this timestamp. */
    public static Lags of(String group, String topic, long lag, long millis) {
        LagSeries one = new LagSeries(group, topic);
        one.add(1, 100, lag);
        one.late().forEach(late -> late.millis = millis);
        return new Lags(List.of(one, new LagSeries(LagSeries.OTHER, LagSeries.OTHER)), millis);
    }
}

package io.rivulet.broker.lag;

import java.util.List;

/**
 * The result of a round. Immutable.
 *
 * @param series the last one is of all groups and topics without a series of their own; empty before the first round
 * @param madeMillis the time of the round
 */
public record Lags(List<LagSeries> series, long madeMillis) {
    /** Before the first round. */
    public static final Lags NONE = new Lags(List.of(), 0);
}

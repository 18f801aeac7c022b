package io.rivulet.broker.quota;

/**
 * A limit, and the meter of the one that it is for. The meters of a rule for many are in {@link DefaultMeters}.
 *
 * <p>Changed by the log-writer thread. Any thread reads it.
 */
final class QuotaRule {
    private final QuotaLevel level;
    private final Meters meters = new Meters();
    private volatile double limit;

    QuotaRule(QuotaLevel level, double limit) {
        this.level = level;
        this.limit = limit;
    }

    QuotaLevel level() {
        return level;
    }

    double limit() {
        return limit;
    }

    void limit(double newLimit) {
        limit = newLimit;
    }

    Meters meters() {
        return meters;
    }
}

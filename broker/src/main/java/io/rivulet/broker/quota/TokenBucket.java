package io.rivulet.broker.quota;

/**
 * Tokens that come back at a rate, up to those of all windows. They may fall below zero, once. Thread-safe, guarded by
 * its monitor.
 */
final class TokenBucket {
    private static final double MILLIS = 1000;

    private final QuotaWindows windows;
    private double tokens = Double.MAX_VALUE;
    private long lastMillis;

    TokenBucket(QuotaWindows windows) {
        this.windows = windows;
    }

    /**
     * Takes tokens. Returns how many milliseconds to wait until there are some again, or 0.
     *
     * @param strict whether to take none while there are none, and otherwise not to wait
     */
    synchronized long take(int wanted, boolean strict, double limit, long nowMillis) {
        // In the order of Kafka's arithmetic, so that both round alike.
        double burst = windows.spanMillis() / MILLIS * limit;
        tokens = Math.min(burst, tokens + limit * ((nowMillis - lastMillis) / MILLIS));
        lastMillis = nowMillis;
        if (strict && tokens < 0) {
            return waitMillis(limit);
        }
        tokens -= wanted;
        return !strict && tokens < 0 ? waitMillis(limit) : 0;
    }

    private long waitMillis(double limit) {
        return Math.max(1, Math.round(-tokens / limit * MILLIS));
    }
}

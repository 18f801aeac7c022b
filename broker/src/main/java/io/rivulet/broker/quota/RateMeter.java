package io.rivulet.broker.quota;

import java.util.Arrays;

/**
 * A rate over the last windows, taken as Kafka does: a window begins with its first use, the present one is not full,
 * and windows before the first use count as empty. Thread-safe, guarded by its monitor.
 */
final class RateMeter {
    private static final double MILLIS = 1000;

    private final QuotaWindows windows;
    private long[] startMillis = new long[1];
    private long[] lastMillis = new long[1];
    private double[] sums = new double[1];
    private int size;
    private int current;

    RateMeter(QuotaWindows windows) {
        this.windows = windows;
    }

    /** Adds an amount, which is negative if it takes back one. */
    synchronized void add(double amount, long nowMillis) {
        if (size == 0) {
            begin(0, nowMillis);
        } else if (nowMillis - startMillis[current] >= windows.windowMillis()) {
            begin((current + 1) % (windows.count() + 1), nowMillis);
        }
        sums[current] += amount;
        lastMillis[current] = nowMillis;
    }

    private void begin(int window, long nowMillis) {
        current = window;
        if (window == size) {
            size++;
            if (size > sums.length) {
                int capacity = Math.min(windows.count() + 1, 2 * sums.length);
                startMillis = Arrays.copyOf(startMillis, capacity);
                lastMillis = Arrays.copyOf(lastMillis, capacity);
                sums = Arrays.copyOf(sums, capacity);
            }
        }
        clear(window, nowMillis);
    }

    private void clear(int window, long nowMillis) {
        startMillis[window] = nowMillis;
        lastMillis[window] = nowMillis;
        sums[window] = 0;
    }

    /** Adds an amount, and returns the milliseconds until the rate is back at the limit; 0 if it is not exceeded. */
    synchronized long add(double amount, double limit, long nowMillis) {
        add(amount, nowMillis);
        double sum = 0;
        long oldestMillis = nowMillis;
        for (int i = 0; i < size; i++) {
            if (nowMillis - lastMillis[i] >= windows.spanMillis()) {
                clear(i, nowMillis);
            }
            sum += sums[i];
            oldestMillis = Math.min(oldestMillis, startMillis[i]);
        }
        long spanMillis = nowMillis - oldestMillis;
        long missing = windows.count() - 1 - spanMillis / windows.windowMillis();
        spanMillis += Math.max(0, missing) * windows.windowMillis();
        spanMillis = spanMillis == 0 ? windows.windowMillis() : spanMillis;
        double rate = sum / (spanMillis / MILLIS); // in the order of Kafka, so that it is rounded as there
        return rate > limit ? Math.round((rate - limit) / limit * spanMillis) : 0;
    }
}

package io.rivulet.broker.tool;

import io.rivulet.broker.json.JsonText;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Latencies of a load, for percentiles. Owned by: one thread. */
final class Latencies {
    private static final int MOST = 500_000;

    private long[] nanos = new long[1024];
    private int count;
    private long sumNanos;
    private long total;
    private long maxNanos;

    /** Adds the latency of some records. The percentiles are those of the first additions, so memory is bounded. */
    void add(long latencyNanos, int records) {
        if (count == nanos.length && count < MOST) {
            nanos = Arrays.copyOf(nanos, Math.min(MOST, 2 * count));
        }
        if (count < nanos.length) {
            nanos[count++] = latencyNanos;
        }
        sumNanos += latencyNanos * records;
        total += records;
        maxNanos = Math.max(maxNanos, latencyNanos);
    }

    double averageMillis() {
        return total == 0 ? 0 : sumNanos / 1e6 / total;
    }

    double maxMillis() {
        return maxNanos / 1e6;
    }

    /** In milliseconds, by share of all. */
    long[] percentiles(double... shares) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return Arrays.stream(shares)
                .mapToLong(share -> count == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(sorted[(int) (share * (count - 1))]))
                .toArray();
    }

    Map<String, @Nullable Object> json() {
        long[] percentiles = percentiles(0.5, 0.95, 0.99, 0.999);
        return JsonText.object(
                "average",
                averageMillis(),
                "max",
                maxMillis(),
                "p50",
                percentiles[0],
                "p95",
                percentiles[1],
                "p99",
                percentiles[2],
                "p999",
                percentiles[3]);
    }
}

package io.rivulet.bench.versus;

import io.rivulet.bench.load.Latency;
import java.util.EnumMap;
import java.util.Map;

/** What one run of a case came to. Confined to one thread. */
final class Figures {
    private static final double BYTES_PER_MIB = 1 << 20;

    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    Figures with(Metric metric, double value) {
        values.put(metric, value);
        return this;
    }

    Figures with(Latency latency) {
        return with(Metric.P50_MILLIS, latency.p50())
                .with(Metric.P99_MILLIS, latency.p99())
                .with(Metric.P999_MILLIS, latency.p999());
    }

    /** @param metric in MiB a second */
    Figures withRate(Metric metric, long bytes, double seconds) {
        return with(metric, bytes / BYTES_PER_MIB / seconds);
    }

    Map<Metric, Double> values() {
        return values;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach((metric, value) -> text.append(text.isEmpty() ? "" : ", ")
                .append(metric.title())
                .append(' ')
                .append(metric.format(value)));
        return text.toString();
    }
}

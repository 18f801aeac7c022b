package io.rivulet.bench.versus;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What one run of a case came to. Confined to one thread. */
final class Figures {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double BYTES_PER_MIB = 1 << 20;

    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    Figures with(Metric metric, double value) {
        values.put(metric, value);
        return this;
    }

    /** @param latencies in nanoseconds */
    Figures withLatencies(Histogram latencies) {
        return with(Metric.P50_MILLIS, latencies.getValueAtPercentile(50) / NANOS_PER_MILLI)
                .with(Metric.P99_MILLIS, latencies.getValueAtPercentile(99) / NANOS_PER_MILLI)
                .with(Metric.P999_MILLIS, latencies.getValueAtPercentile(99.9) / NANOS_PER_MILLI);
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

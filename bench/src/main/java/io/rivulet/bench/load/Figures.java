package io.rivulet.bench.load;

import io.rivulet.bench.lab.Machine;
import java.util.EnumMap;
import java.util.Map;

/** The results of one run of a case. Owned by: one thread. */
public final class Figures {
    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    public Figures with(Metric metric, double value) {
        values.put(metric, value);
        return this;
    }

    public Figures with(Latency latency) {
        return with(Metric.P50_MILLIS, latency.p50())
                .with(Metric.P99_MILLIS, latency.p99())
                .with(Metric.P999_MILLIS, latency.p999());
    }

    /** @param metric in MiB a second */
    public Figures withRate(Metric metric, long bytes, double seconds) {
        return with(metric, bytes / Machine.BYTES_PER_MIB / seconds);
    }

    public Map<Metric, Double> values() {
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

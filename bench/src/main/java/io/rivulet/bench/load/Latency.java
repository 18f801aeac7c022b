package io.rivulet.bench.load;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Latencies in milliseconds. Immutable. */
public record Latency(long count, double p50, double p99, double p999, double longest) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long LONGEST_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;

    /** Creates a recorder of nanoseconds, up to ten minutes. */
    public static Recorder recorder() {
        return new Recorder(LONGEST_NANOS, DIGITS);
    }

    /** Latencies since the last call or the last reset. */
    public static Latency of(Recorder recorder) {
        Histogram nanos = recorder.getIntervalHistogram();
        return new Latency(
                nanos.getTotalCount(),
                nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
                nanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
                nanos.getValueAtPercentile(99.9) / NANOS_PER_MILLI,
                nanos.getMaxValue() / NANOS_PER_MILLI);
    }
}

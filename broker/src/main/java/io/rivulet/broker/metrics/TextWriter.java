package io.rivulet.broker.metrics;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes Prometheus' text format 0.0.4. The samples of a metric follow its head.
 *
 * <p>Confined to one scrape.
 */
final class TextWriter {
    private static final double NANOS_PER_SECOND = 1e9;

    private final NameFamily family;
    private final ByteBuf out;
    private String name = "";

    TextWriter(NameFamily family, ByteBuf out) {
        this.family = family;
        this.out = out;
    }

    /** Begins a metric. */
    TextWriter head(Metric metric) {
        return head(metric.name(family), metric.type(), metric.help());
    }

    TextWriter head(DetailedMetric metric) {
        return head(metric.metricName(), Metric.Type.GAUGE, metric.help());
    }

    TextWriter head(ClusterMetric metric) {
        return head(metric.metricName(), metric.type(), metric.help());
    }

    TextWriter head(String metricName, Metric.Type type, String help) {
        name = metricName;
        write("# HELP ");
        write(metricName);
        write(" ");
        write(escaped(help, false));
        write("\n# TYPE ");
        write(metricName);
        write(" ");
        write(type.text());
        write("\n");
        return this;
    }

    /** A metric with one sample and no label. */
    void only(Metric metric, long value) {
        head(metric).sample(value);
    }

    void only(ClusterMetric metric, long value) {
        head(metric).sample(value);
    }

    void only(Metric metric, double value) {
        head(metric).sample(value);
    }

    /** @param labels name and value of each label */
    void sample(long value, String... labels) {
        sampleOf("", Long.toString(value), labels);
    }

    void sample(double value, String... labels) {
        sampleOf("", text(value), labels);
    }

    /** @param end what follows the metric's name: _sum, _count or _bucket */
    void part(String end, long value, String... labels) {
        sampleOf(end, Long.toString(value), labels);
    }

    void part(String end, double value, String... labels) {
        sampleOf(end, text(value), labels);
    }

    private void sampleOf(String end, String value, String... labels) {
        write(name);
        write(end);
        for (int i = 0; i < labels.length; i += 2) {
            write(i == 0 ? "{" : ",");
            write(labels[i]);
            write("=\"");
            write(escaped(labels[i + 1], true));
            write("\"");
        }
        write(labels.length == 0 ? " " : "} ");
        write(value);
        write("\n");
    }

    /** Seconds, without digits that nanoseconds don't have. */
    static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    private static String text(double value) {
        if (value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE) {
            return Long.toString((long) value);
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return Double.toString(value);
    }

    private static String escaped(String text, boolean quoted) {
        boolean plain = text.indexOf('\\') < 0 && text.indexOf('\n') < 0 && (!quoted || text.indexOf('"') < 0);
        if (plain) {
            return text;
        }
        String escaped = text.replace("\\", "\\\\").replace("\n", "\\n");
        return quoted ? escaped.replace("\"", "\\\"") : escaped;
    }

    private void write(String text) {
        out.writeCharSequence(text, StandardCharsets.UTF_8);
    }
}

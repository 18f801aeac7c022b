package io.rivulet.broker.metrics;

import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;

/** The metrics of the store, under names made from their own. Stateless. */
final class StoreSeries {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    private StoreSeries() {}

    /** Such as rivulet_log_force_seconds_total: units are seconds and bytes, and a counter ends with total. */
    static String name(StoreMetric metric) {
        String own = metric.metricName();
        String stem = switch (metric.unit()) {
            case NANOS, MILLIS -> own.substring(0, own.lastIndexOf('_')) + "_seconds";
            case BYTES, COUNT -> own;
        };
        return "rivulet_" + stem + (metric.kind() == StoreMetric.Kind.COUNTER ? "_total" : "");
    }

    static Metric.Type type(StoreMetric metric) {
        return metric.kind() == StoreMetric.Kind.COUNTER ? Metric.Type.COUNTER : Metric.Type.GAUGE;
    }

    static String help(StoreMetric metric) {
        String text = metric.description() + ".";
        return switch (metric.unit()) {
            case NANOS, MILLIS -> "Seconds: " + text;
            case BYTES -> "Bytes: " + text;
            case COUNT -> Character.toUpperCase(text.charAt(0)) + text.substring(1);
        };
    }

    static double value(StoreMetric metric, long read) {
        return switch (metric.unit()) {
            case NANOS -> read / NANOS_PER_SECOND;
            case MILLIS -> read / MILLIS_PER_SECOND;
            case BYTES, COUNT -> read;
        };
    }

    static void write(TextWriter text, Store store) {
        for (StoreMetric metric : StoreMetric.values()) {
            text.head(name(metric), type(metric), help(metric)).sample(value(metric, store.metric(metric)));
        }
    }
}

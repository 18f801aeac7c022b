package io.rivulet.broker.metrics;

/** The name of one metric in each family. Immutable. */
record MetricNames(String strimzi, String confluent, String reporter) {
    /** The same name in all families. */
    static MetricNames same(String name) {
        return new MetricNames(name, name, name);
    }

    /** What Kafka counts with a meter whose name ends with PerSec. */
    static MetricNames counter(String stem) {
        return new MetricNames(stem + "_total", stem + "persec", stem + "persec_total");
    }

    /** What Kafka measures as a share, under a name that ends with Percent. A meter gets another end than a gauge. */
    static MetricNames percent(String stem, String end) {
        return new MetricNames(stem + "_percent", stem + end, stem + end);
    }

    String in(NameFamily family) {
        return switch (family) {
            case STRIMZI -> strimzi;
            case CONFLUENT -> confluent;
            case REPORTER -> reporter;
        };
    }
}

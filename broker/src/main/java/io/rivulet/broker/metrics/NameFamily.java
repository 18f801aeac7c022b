package io.rivulet.broker.metrics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The names of Kafka's metrics: which tool's dashboards a scrape is for. Immutable. */
public enum NameFamily {
    /** The rules for the JMX exporter in Strimzi's examples; the default. */
    STRIMZI,
    /** The rules for the JMX exporter in Confluent's jmx-monitoring-stacks. */
    CONFLUENT,
    /** Strimzi's Metrics Reporter. */
    REPORTER;

    /** The family in a query; null if there is no such one. */
    public static @Nullable NameFamily find(String name) {
        for (NameFamily family : values()) {
            if (family.queryName().equals(name)) {
                return family;
            }
        }
        return null;
    }

    /** The name in a query. */
    public String queryName() {
        return name().toLowerCase(Locale.ROOT);
    }
}

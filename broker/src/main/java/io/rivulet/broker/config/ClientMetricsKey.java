package io.rivulet.broker.config;

import org.jspecify.annotations.Nullable;

/** The keys of a subscription to metrics of clients, with Kafka's names. */
public enum ClientMetricsKey {
    INTERVAL_MS("interval.ms", ConfigType.range(100, 3_600_000), "300000", "How often clients send metrics."),
    MATCH("match", ConfigType.MATCHES, "", "Which clients send them: attribute=regular expression."),
    METRICS("metrics", ConfigType.ANY_LIST, "", "Beginnings of names of metrics.");

    private final String key;

    @SuppressWarnings("ImmutableEnumChecker") // the predicates of types have no state
    private final ConfigType type;

    private final String defaultValue;
    private final String text;

    ClientMetricsKey(String key, ConfigType type, String defaultValue, String text) {
        this.key = key;
        this.type = type;
        this.defaultValue = defaultValue;
        this.text = text;
    }

    /** Null if there is no such key. */
    public static @Nullable ClientMetricsKey forKey(String key) {
        for (ClientMetricsKey known : values()) {
            if (known.key.equals(key)) {
                return known;
            }
        }
        return null;
    }

    public String key() {
        return key;
    }

    public ConfigType type() {
        return type;
    }

    public String defaultValue() {
        return defaultValue;
    }

    public String text() {
        return text;
    }
}

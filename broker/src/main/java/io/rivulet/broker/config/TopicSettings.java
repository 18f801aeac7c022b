package io.rivulet.broker.config;

import io.rivulet.protocol.record.TimestampType;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.failure.LogLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a topic: its own configs, and the broker's defaults for the others. Immutable.
 *
 * @param overrides the topic's own configs, as they were given
 * @param retentionMillis -1 for no limit, also if the cleanup.policy does not delete; {@code retentionBytes} likewise
 * @param compaction null if the topic is not compacted
 * @param compression null if batches stay as their producers sent them
 */
public record TopicSettings(
        Map<String, String> overrides,
        Map<String, String> brokerValues,
        int maxMessageBytes,
        TimestampType timestampType,
        long timestampBeforeMaxMillis,
        long timestampAfterMaxMillis,
        long retentionMillis,
        long retentionBytes,
        @Nullable CompactionTerms compaction,
        @Nullable Compression compression) {
    /** The codec and level of stored batches, whatever their producer chose. Immutable. */
    public record Compression(Codec codec, int level) {}

    private static final Logger LOG = LoggerFactory.getLogger(TopicSettings.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);
    /** Bounds the heap that a topic's own values take. */
    private static final int MAX_VALUE_CHARS = 1024;

    private static final int QUOTED_CHARS = 100;
    private static final String DELETE = "delete";
    private static final String COMPACT = "compact";
    private static final long NO_LIMIT = -1;
    private static final int PERMILLE = 1000;

    /** The settings if neither topic nor broker has any. */
    public static final TopicSettings KAFKA_DEFAULTS = ofBroker(Map.of());

    /** The defaults of a broker with these values. */
    public static TopicSettings ofBroker(Map<String, String> brokerValues) {
        return resolve(Map.of(), Map.of(), brokerValues);
    }

    /**
     * These settings with other configs of the topic.
     *
     * @throws ConfigException when a key or value is not allowed
     */
    public TopicSettings withOverrides(Map<String, String> newOverrides) {
        newOverrides.forEach(TopicSettings::check);
        return resolve(newOverrides, newOverrides, brokerValues);
    }

    private static void check(String key, String value) {
        TopicConfigKey known = TopicConfigKey.forKey(key);
        if (known == null) {
            throw new ConfigException(shortened(key), shortened(value), "no value: topics have no such config");
        }
        if (value.length() > MAX_VALUE_CHARS) {
            throw new ConfigException(key, shortened(value), "at most " + MAX_VALUE_CHARS + " characters");
        }
        known.type().check(key, value);
    }

    /** The beginning of a long text. */
    private static String shortened(String text) {
        return text.length() <= QUOTED_CHARS ? text : text.substring(0, QUOTED_CHARS) + "...";
    }

    /**
     * These settings with overrides from the log. An override that an older version accepted and this one does not is
     * kept and described, but has no effect.
     */
    public TopicSettings withStored(Map<String, String> stored) {
        Map<String, String> effective = new HashMap<>();
        stored.forEach((key, value) -> {
            try {
                check(key, value);
                effective.put(key, value);
            } catch (ConfigException e) {
                LIMIT.log(more -> LOG.warn(
                        "A topic has a config that is no longer allowed. The default is used instead: {}{}",
                        e.getMessage(),
                        more));
            }
        });
        return resolve(stored, effective, brokerValues);
    }

    /** The topic's own value, or the default. */
    public String value(TopicConfigKey key) {
        return value(key, overrides, brokerValues);
    }

    /** Whether the cleanup.policy deletes records. */
    public boolean deletesRecords() {
        return policies(this::value).contains(DELETE);
    }

    private static String value(TopicConfigKey key, Map<String, String> overrides, Map<String, String> brokerValues) {
        String own = overrides.get(key.key());
        if (own != null) {
            return own;
        }
        BrokerKey brokerKey = key.brokerKey();
        return brokerKey == null ? key.defaultValue() : brokerValues.getOrDefault(brokerKey.key(), key.defaultValue());
    }

    private static long number(String value) {
        return Long.parseLong(value.strip());
    }

    private static @Nullable CompactionTerms compaction(Function<TopicConfigKey, String> values) {
        if (!policies(values).contains(COMPACT)) {
            return null;
        }
        double ratio = Double.parseDouble(
                values.apply(TopicConfigKey.MIN_CLEANABLE_DIRTY_RATIO).strip());
        long maxLagMillis = number(values.apply(TopicConfigKey.MAX_COMPACTION_LAG_MS));
        return new CompactionTerms(
                (int) Math.round(ratio * PERMILLE),
                number(values.apply(TopicConfigKey.DELETE_RETENTION_MS)),
                number(values.apply(TopicConfigKey.MIN_COMPACTION_LAG_MS)),
                maxLagMillis,
                Math.min(maxLagMillis, number(values.apply(TopicConfigKey.SEGMENT_MS))));
    }

    private static List<String> policies(Function<TopicConfigKey, String> values) {
        return ConfigType.words(values.apply(TopicConfigKey.CLEANUP_POLICY));
    }

    /** @param effective the overrides that have an effect */
    private static TopicSettings resolve(
            Map<String, String> overrides, Map<String, String> effective, Map<String, String> brokerValues) {
        Function<TopicConfigKey, String> values = key -> value(key, effective, brokerValues);
        boolean deletes = policies(values).contains(DELETE);
        return new TopicSettings(
                Map.copyOf(overrides),
                brokerValues,
                Integer.parseInt(values.apply(TopicConfigKey.MAX_MESSAGE_BYTES).strip()),
                values.apply(TopicConfigKey.MESSAGE_TIMESTAMP_TYPE).equals("LogAppendTime")
                        ? TimestampType.LOG_APPEND_TIME
                        : TimestampType.CREATE_TIME,
                number(values.apply(TopicConfigKey.MESSAGE_TIMESTAMP_BEFORE_MAX_MS)),
                number(values.apply(TopicConfigKey.MESSAGE_TIMESTAMP_AFTER_MAX_MS)),
                deletes ? number(values.apply(TopicConfigKey.RETENTION_MS)) : NO_LIMIT,
                deletes ? number(values.apply(TopicConfigKey.RETENTION_BYTES)) : NO_LIMIT,
                compaction(values),
                compression(values));
    }

    private static @Nullable Compression compression(Function<TopicConfigKey, String> values) {
        return switch (values.apply(TopicConfigKey.COMPRESSION_TYPE)) {
            case "uncompressed" -> new Compression(Codec.NONE, Codec.NONE.defaultLevel());
            case "gzip" -> new Compression(Codec.GZIP, level(values, TopicConfigKey.COMPRESSION_GZIP_LEVEL));
            case "snappy" -> new Compression(Codec.SNAPPY, Codec.SNAPPY.defaultLevel());
            case "lz4" -> new Compression(Codec.LZ4, level(values, TopicConfigKey.COMPRESSION_LZ4_LEVEL));
            case "zstd" -> new Compression(Codec.ZSTD, level(values, TopicConfigKey.COMPRESSION_ZSTD_LEVEL));
            default -> null;
        };
    }

    private static int level(Function<TopicConfigKey, String> values, TopicConfigKey key) {
        return Math.toIntExact(number(values.apply(key)));
    }
}

package io.rivulet.broker.config;

import io.rivulet.broker.config.ConfigType.Words;
import io.rivulet.protocol.record.TimestampType;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.store.CompactionTerms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What holds for a topic: its own configs over the broker's defaults, concluded. Immutable.
 *
 * @param overrides the topic's own, as they were given
 * @param retentionMillis -1 also when what is old stays because of its cleanup.policy; {@code retentionBytes} likewise
 * @param compaction null when the topic is not compacted
 * @param compression null when batches stay as their producers sent them
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
    /** What batches are compressed with, whatever their producer chose. Immutable. */
    public record Compression(Codec codec, int level) {}

    private static final Logger LOG = LoggerFactory.getLogger(TopicSettings.class);
    /** Each is kept for each topic that has a value of its own. */
    private static final int MAX_VALUE_CHARS = 1024;

    private static final int TOLD_CHARS = 100;
    private static final String DELETE = "delete";
    private static final String COMPACT = "compact";
    private static final long NO_LIMIT = -1;
    private static final int PERMILLE = 1000;

    /** What holds where neither topic nor broker says anything. */
    public static final TopicSettings KAFKA_DEFAULTS = ofBroker(Map.of());

    /** The defaults of a broker with these values. */
    public static TopicSettings ofBroker(Map<String, String> brokerValues) {
        return conclude(Map.of(), Map.of(), brokerValues);
    }

    /**
     * These settings with other configs of the topic.
     *
     * @throws ConfigException when a key or value is not allowed
     */
    public TopicSettings withOverrides(Map<String, String> newOverrides) {
        newOverrides.forEach(TopicSettings::check);
        return conclude(newOverrides, newOverrides, brokerValues);
    }

    private static void check(String key, String value) {
        TopicConfigKey known = TopicConfigKey.forKey(key);
        if (known == null) {
            throw new ConfigException(told(key), told(value), "no value: there is no such topic config here");
        }
        if (value.length() > MAX_VALUE_CHARS) {
            throw new ConfigException(key, told(value), "at most " + MAX_VALUE_CHARS + " characters");
        }
        known.type().check(key, value);
    }

    /** The beginning of a long text. */
    private static String told(String text) {
        return text.length() <= TOLD_CHARS ? text : text.substring(0, TOLD_CHARS) + "...";
    }

    /**
     * These settings with overrides from the log. One that an older version accepted and this one does not is kept and told, but the
     * default holds instead.
     */
    public TopicSettings withStored(Map<String, String> stored) {
        Map<String, String> holding = new HashMap<>();
        stored.forEach((key, value) -> {
            try {
                check(key, value);
                holding.put(key, value);
            } catch (ConfigException e) {
                LOG.warn("A topic keeps a config that is not allowed any more; the default holds: {}", e.getMessage());
            }
        });
        return conclude(stored, holding, brokerValues);
    }

    /** The value that the topic has, or else the default. */
    public String value(TopicConfigKey key) {
        return value(key, overrides, brokerValues);
    }

    private static String value(TopicConfigKey key, Map<String, String> overrides, Map<String, String> brokerValues) {
        String own = overrides.get(key.key());
        return own != null
                ? own
                : brokerValues.getOrDefault(
                        key.brokerKey().key(), key.brokerKey().defaultValue());
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
        return Words.split(values.apply(TopicConfigKey.CLEANUP_POLICY));
    }

    /** @param holding those of the overrides that hold */
    private static TopicSettings conclude(
            Map<String, String> overrides, Map<String, String> holding, Map<String, String> brokerValues) {
        Function<TopicConfigKey, String> values = key -> value(key, holding, brokerValues);
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

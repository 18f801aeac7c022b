package io.rivulet.broker.config;

import io.rivulet.broker.config.ConfigType.Whole;
import org.jspecify.annotations.Nullable;

/**
 * The configs that a topic may have, under Kafka's names, with the broker's key that gives their default. What is not in here is
 * refused. What is about a partition's files, about when they are flushed and about replicas is accepted and kept, for applications bring
 * it with them: there is nothing for it to change.
 */
public enum TopicConfigKey {
    CLEANUP_POLICY("cleanup.policy", BrokerKey.LOG_CLEANUP_POLICY, BrokerKey.LOG_CLEANUP_POLICY.type()),
    COMPRESSION_GZIP_LEVEL(
            "compression.gzip.level", BrokerKey.COMPRESSION_GZIP_LEVEL, BrokerKey.COMPRESSION_GZIP_LEVEL.type()),
    COMPRESSION_LZ4_LEVEL(
            "compression.lz4.level", BrokerKey.COMPRESSION_LZ4_LEVEL, BrokerKey.COMPRESSION_LZ4_LEVEL.type()),
    COMPRESSION_TYPE("compression.type", BrokerKey.COMPRESSION_TYPE, BrokerKey.COMPRESSION_TYPE.type()),
    COMPRESSION_ZSTD_LEVEL(
            "compression.zstd.level", BrokerKey.COMPRESSION_ZSTD_LEVEL, BrokerKey.COMPRESSION_ZSTD_LEVEL.type()),
    DELETE_RETENTION_MS("delete.retention.ms", BrokerKey.LOG_CLEANER_DELETE_RETENTION_MS, Whole.longs(0)),
    FILE_DELETE_DELAY_MS("file.delete.delay.ms", BrokerKey.LOG_SEGMENT_DELETE_DELAY_MS, Whole.longs(0)),
    FLUSH_MESSAGES("flush.messages", BrokerKey.LOG_FLUSH_INTERVAL_MESSAGES, Whole.longs(1)),
    FLUSH_MS("flush.ms", BrokerKey.LOG_FLUSH_INTERVAL_MS, Whole.longs(0)),
    INDEX_INTERVAL_BYTES("index.interval.bytes", BrokerKey.LOG_INDEX_INTERVAL_BYTES, Whole.ints(0)),
    MAX_COMPACTION_LAG_MS("max.compaction.lag.ms", BrokerKey.LOG_CLEANER_MAX_COMPACTION_LAG_MS, Whole.longs(1)),
    MAX_MESSAGE_BYTES("max.message.bytes", BrokerKey.MESSAGE_MAX_BYTES, BrokerKey.MESSAGE_MAX_BYTES.type()),
    MESSAGE_TIMESTAMP_TYPE(
            "message.timestamp.type",
            BrokerKey.LOG_MESSAGE_TIMESTAMP_TYPE,
            BrokerKey.LOG_MESSAGE_TIMESTAMP_TYPE.type()),
    MESSAGE_TIMESTAMP_BEFORE_MAX_MS(
            "message.timestamp.before.max.ms", BrokerKey.LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS, Whole.longs(0)),
    MESSAGE_TIMESTAMP_AFTER_MAX_MS(
            "message.timestamp.after.max.ms", BrokerKey.LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS, Whole.longs(0)),
    MIN_CLEANABLE_DIRTY_RATIO(
            "min.cleanable.dirty.ratio",
            BrokerKey.LOG_CLEANER_MIN_CLEANABLE_RATIO,
            BrokerKey.LOG_CLEANER_MIN_CLEANABLE_RATIO.type()),
    MIN_COMPACTION_LAG_MS("min.compaction.lag.ms", BrokerKey.LOG_CLEANER_MIN_COMPACTION_LAG_MS, Whole.longs(0)),
    MIN_INSYNC_REPLICAS("min.insync.replicas", BrokerKey.MIN_INSYNC_REPLICAS, Whole.ints(1)),
    PREALLOCATE("preallocate", BrokerKey.LOG_PREALLOCATE, BrokerKey.LOG_PREALLOCATE.type()),
    RETENTION_BYTES("retention.bytes", BrokerKey.LOG_RETENTION_BYTES, Whole.longs(-1)),
    RETENTION_MS("retention.ms", BrokerKey.LOG_RETENTION_MS, Whole.longs(-1)),
    SEGMENT_BYTES("segment.bytes", BrokerKey.LOG_SEGMENT_BYTES, BrokerKey.LOG_SEGMENT_BYTES.type()),
    SEGMENT_INDEX_BYTES("segment.index.bytes", BrokerKey.LOG_INDEX_SIZE_MAX_BYTES, Whole.ints(4)),
    SEGMENT_JITTER_MS("segment.jitter.ms", BrokerKey.LOG_ROLL_JITTER_MS, Whole.longs(0)),
    SEGMENT_MS("segment.ms", BrokerKey.LOG_ROLL_MS, Whole.longs(1)),
    UNCLEAN_LEADER_ELECTION_ENABLE(
            "unclean.leader.election.enable",
            BrokerKey.UNCLEAN_LEADER_ELECTION_ENABLE,
            BrokerKey.UNCLEAN_LEADER_ELECTION_ENABLE.type());

    private final String key;
    private final BrokerKey brokerKey;

    @SuppressWarnings("ImmutableEnumChecker") // its types are all records of immutable values
    private final ConfigType type;

    TopicConfigKey(String key, BrokerKey brokerKey, ConfigType type) {
        this.key = key;
        this.brokerKey = brokerKey;
        this.type = type;
    }

    /** Null for what is no config of a topic. */
    public static @Nullable TopicConfigKey forKey(String key) {
        for (TopicConfigKey known : values()) {
            if (known.key.equals(key)) {
                return known;
            }
        }
        return null;
    }

    public String key() {
        return key;
    }

    public BrokerKey brokerKey() {
        return brokerKey;
    }

    public ConfigType type() {
        return type;
    }
}

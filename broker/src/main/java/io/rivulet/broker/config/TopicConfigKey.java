package io.rivulet.broker.config;

import org.jspecify.annotations.Nullable;

/**
 * The keys that a topic may have, with Kafka's names. The broker's key gives the default, the type and the help text.
 * Any other key is refused. Keys about files of partitions, flushes and replicas have no effect: they are accepted
 * because applications set them.
 */
public enum TopicConfigKey {
    CLEANUP_POLICY("cleanup.policy", BrokerKey.LOG_CLEANUP_POLICY),
    COMPRESSION_GZIP_LEVEL("compression.gzip.level", BrokerKey.COMPRESSION_GZIP_LEVEL),
    COMPRESSION_LZ4_LEVEL("compression.lz4.level", BrokerKey.COMPRESSION_LZ4_LEVEL),
    COMPRESSION_TYPE("compression.type", BrokerKey.COMPRESSION_TYPE),
    COMPRESSION_ZSTD_LEVEL("compression.zstd.level", BrokerKey.COMPRESSION_ZSTD_LEVEL),
    DELETE_RETENTION_MS("delete.retention.ms", BrokerKey.LOG_CLEANER_DELETE_RETENTION_MS),
    FILE_DELETE_DELAY_MS("file.delete.delay.ms", BrokerKey.LOG_SEGMENT_DELETE_DELAY_MS),
    FLUSH_MESSAGES("flush.messages", BrokerKey.LOG_FLUSH_INTERVAL_MESSAGES),
    FLUSH_MS("flush.ms", BrokerKey.LOG_FLUSH_INTERVAL_MS),
    INDEX_INTERVAL_BYTES("index.interval.bytes", BrokerKey.LOG_INDEX_INTERVAL_BYTES),
    MAX_COMPACTION_LAG_MS("max.compaction.lag.ms", BrokerKey.LOG_CLEANER_MAX_COMPACTION_LAG_MS),
    MAX_MESSAGE_BYTES("max.message.bytes", BrokerKey.MESSAGE_MAX_BYTES),
    MESSAGE_TIMESTAMP_TYPE("message.timestamp.type", BrokerKey.LOG_MESSAGE_TIMESTAMP_TYPE),
    MESSAGE_TIMESTAMP_BEFORE_MAX_MS("message.timestamp.before.max.ms", BrokerKey.LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS),
    MESSAGE_TIMESTAMP_AFTER_MAX_MS("message.timestamp.after.max.ms", BrokerKey.LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS),
    MIN_CLEANABLE_DIRTY_RATIO("min.cleanable.dirty.ratio", BrokerKey.LOG_CLEANER_MIN_CLEANABLE_RATIO),
    MIN_COMPACTION_LAG_MS("min.compaction.lag.ms", BrokerKey.LOG_CLEANER_MIN_COMPACTION_LAG_MS),
    MIN_INSYNC_REPLICAS("min.insync.replicas", BrokerKey.MIN_INSYNC_REPLICAS),
    PREALLOCATE("preallocate", BrokerKey.LOG_PREALLOCATE),
    RETENTION_BYTES("retention.bytes", BrokerKey.LOG_RETENTION_BYTES),
    RETENTION_MS("retention.ms", BrokerKey.LOG_RETENTION_MS),
    SEGMENT_BYTES("segment.bytes", BrokerKey.LOG_SEGMENT_BYTES),
    SEGMENT_INDEX_BYTES("segment.index.bytes", BrokerKey.LOG_INDEX_SIZE_MAX_BYTES),
    SEGMENT_JITTER_MS("segment.jitter.ms", BrokerKey.LOG_ROLL_JITTER_MS),
    SEGMENT_MS("segment.ms", BrokerKey.LOG_ROLL_MS),
    UNCLEAN_LEADER_ELECTION_ENABLE("unclean.leader.election.enable", BrokerKey.UNCLEAN_LEADER_ELECTION_ENABLE);

    private final String key;
    private final BrokerKey brokerKey;

    TopicConfigKey(String key, BrokerKey brokerKey) {
        this.key = key;
        this.brokerKey = brokerKey;
    }

    /** Null if topics have no such key. */
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

    /** The broker's key with the default. */
    public BrokerKey brokerKey() {
        return brokerKey;
    }

    public ConfigType type() {
        return brokerKey.type();
    }
}

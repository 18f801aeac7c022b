package io.rivulet.broker.config;

import org.jspecify.annotations.Nullable;

/**
 * The keys that a topic may have, with Kafka's names. The broker's key gives the default, the type and the help text; a
 * few keys have none and bring their own. Any other key is refused. Keys about files of partitions, flushes, replicas
 * and remote storage have no effect: they are accepted because applications set them.
 */
public enum TopicConfigKey {
    CLEANUP_POLICY("cleanup.policy", BrokerKey.LOG_CLEANUP_POLICY),
    COMPRESSION_GZIP_LEVEL("compression.gzip.level", BrokerKey.COMPRESSION_GZIP_LEVEL),
    COMPRESSION_LZ4_LEVEL("compression.lz4.level", BrokerKey.COMPRESSION_LZ4_LEVEL),
    COMPRESSION_TYPE("compression.type", BrokerKey.COMPRESSION_TYPE),
    COMPRESSION_ZSTD_LEVEL("compression.zstd.level", BrokerKey.COMPRESSION_ZSTD_LEVEL),
    DELETE_RETENTION_MS("delete.retention.ms", BrokerKey.LOG_CLEANER_DELETE_RETENTION_MS),
    ERRORS_DEADLETTERQUEUE_GROUP_ENABLE(
            "errors.deadletterqueue.group.enable",
            "false",
            ConfigType.FLAG,
            "Whether share groups may write their dead letters to the topic."),
    FILE_DELETE_DELAY_MS("file.delete.delay.ms", BrokerKey.LOG_SEGMENT_DELETE_DELAY_MS),
    FLUSH_MESSAGES("flush.messages", BrokerKey.LOG_FLUSH_INTERVAL_MESSAGES),
    FLUSH_MS("flush.ms", BrokerKey.LOG_FLUSH_INTERVAL_MS),
    FOLLOWER_THROTTLED_REPLICAS(
            "follower.replication.throttled.replicas", "", ConfigType.REPLICAS, "Replicas whose followers are slowed."),
    INDEX_INTERVAL_BYTES("index.interval.bytes", BrokerKey.LOG_INDEX_INTERVAL_BYTES),
    INTERNAL_SEGMENT_BYTES(
            "internal.segment.bytes", "", ConfigType.ints(1), "The size of a segment file in tests of Kafka."),
    LEADER_THROTTLED_REPLICAS(
            "leader.replication.throttled.replicas", "", ConfigType.REPLICAS, "Replicas whose leaders are slowed."),
    LOCAL_RETENTION_BYTES("local.retention.bytes", BrokerKey.LOG_LOCAL_RETENTION_BYTES),
    LOCAL_RETENTION_MS("local.retention.ms", BrokerKey.LOG_LOCAL_RETENTION_MS),
    MAX_COMPACTION_LAG_MS("max.compaction.lag.ms", BrokerKey.LOG_CLEANER_MAX_COMPACTION_LAG_MS),
    MAX_MESSAGE_BYTES("max.message.bytes", BrokerKey.MESSAGE_MAX_BYTES),
    MESSAGE_TIMESTAMP_TYPE("message.timestamp.type", BrokerKey.LOG_MESSAGE_TIMESTAMP_TYPE),
    MESSAGE_TIMESTAMP_BEFORE_MAX_MS("message.timestamp.before.max.ms", BrokerKey.LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS),
    MESSAGE_TIMESTAMP_AFTER_MAX_MS("message.timestamp.after.max.ms", BrokerKey.LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS),
    MIN_CLEANABLE_DIRTY_RATIO("min.cleanable.dirty.ratio", BrokerKey.LOG_CLEANER_MIN_CLEANABLE_RATIO),
    MIN_COMPACTION_LAG_MS("min.compaction.lag.ms", BrokerKey.LOG_CLEANER_MIN_COMPACTION_LAG_MS),
    MIN_INSYNC_REPLICAS("min.insync.replicas", BrokerKey.MIN_INSYNC_REPLICAS),
    PREALLOCATE("preallocate", BrokerKey.LOG_PREALLOCATE),
    REMOTE_LOG_COPY_DISABLE(
            "remote.log.copy.disable", "false", ConfigType.FLAG, "Whether copying to remote storage is off."),
    REMOTE_LOG_DELETE_ON_DISABLE(
            "remote.log.delete.on.disable",
            "false",
            ConfigType.FLAG,
            "Whether switching remote storage off deletes what is there."),
    REMOTE_STORAGE_ENABLE(
            "remote.storage.enable",
            "false",
            ConfigType.onlyFalse("there is no remote storage"),
            "Whether records are copied to remote storage. There is none, so only `false` is allowed."),
    RETENTION_BYTES("retention.bytes", BrokerKey.LOG_RETENTION_BYTES),
    RETENTION_MS("retention.ms", BrokerKey.LOG_RETENTION_MS),
    SEGMENT_BYTES("segment.bytes", BrokerKey.LOG_SEGMENT_BYTES),
    SEGMENT_INDEX_BYTES("segment.index.bytes", BrokerKey.LOG_INDEX_SIZE_MAX_BYTES),
    SEGMENT_JITTER_MS("segment.jitter.ms", BrokerKey.LOG_ROLL_JITTER_MS),
    SEGMENT_MS("segment.ms", BrokerKey.LOG_ROLL_MS),
    UNCLEAN_LEADER_ELECTION_ENABLE("unclean.leader.election.enable", BrokerKey.UNCLEAN_LEADER_ELECTION_ENABLE);

    private final String key;
    private final @Nullable BrokerKey brokerKey;
    private final String ownDefault;
    private final String ownText;

    @SuppressWarnings("ImmutableEnumChecker") // the predicates of types have no state
    private final ConfigType type;

    TopicConfigKey(String key, BrokerKey brokerKey) {
        this.key = key;
        this.brokerKey = brokerKey;
        this.ownDefault = "";
        this.ownText = "";
        this.type = brokerKey.type();
    }

    TopicConfigKey(String key, String ownDefault, ConfigType type, String ownText) {
        this.key = key;
        this.brokerKey = null;
        this.ownDefault = ownDefault;
        this.ownText = ownText;
        this.type = type;
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

    /** The broker's key with the default; null if the broker has none. */
    public @Nullable BrokerKey brokerKey() {
        return brokerKey;
    }

    public String defaultValue() {
        return brokerKey == null ? ownDefault : brokerKey.defaultValue();
    }

    public ConfigType type() {
        return type;
    }

    /** Whether it is described only where a topic has it. */
    public boolean isHidden() {
        return this == INTERNAL_SEGMENT_BYTES;
    }

    /** The help text, if there is no key of the broker. */
    String ownText() {
        return ownText;
    }
}

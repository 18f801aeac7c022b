package io.rivulet.broker.config;

import io.rivulet.broker.config.ConfigType.Choice;
import io.rivulet.broker.config.ConfigType.Flag;
import io.rivulet.broker.config.ConfigType.Fraction;
import io.rivulet.broker.config.ConfigType.Level;
import io.rivulet.broker.config.ConfigType.Text;
import io.rivulet.broker.config.ConfigType.Whole;
import io.rivulet.broker.config.ConfigType.Words;
import io.rivulet.protocol.record.codec.Codec;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the broker. A key with the meaning of one of Kafka's has that name; the others begin with "rivulet.".
 * {@code reference.md} in the resources has the help text of each.
 */
public enum BrokerKey {
    NODE_ID("node.id", "1", Whole.ints(0)),
    LISTENERS("listeners", "PLAINTEXT://localhost:9092", new Text()),
    ADVERTISED_LISTENERS("advertised.listeners", "", new Text()),
    LISTENER_SECURITY_PROTOCOL_MAP("listener.security.protocol.map", "", new Text()),
    CONTROLLER_LISTENER_NAMES("controller.listener.names", "", new Text()),
    LOG_DIRS("log.dirs", "rivulet-data", new Text()),
    NUM_PARTITIONS("num.partitions", "1", Whole.ints(1)),
    DEFAULT_REPLICATION_FACTOR("default.replication.factor", "1", new Whole(1, 1, false)),
    AUTO_CREATE_TOPICS_ENABLE("auto.create.topics.enable", "true", new Flag()),
    DELETE_TOPIC_ENABLE("delete.topic.enable", "true", new Flag()),
    MESSAGE_MAX_BYTES("message.max.bytes", "1048588", new Whole(0, BrokerConfig.MAX_BATCH_BYTES, false)),
    SOCKET_REQUEST_MAX_BYTES("socket.request.max.bytes", "104857600", Whole.ints(1)),
    QUEUED_MAX_REQUEST_BYTES("queued.max.request.bytes", "268435456", Whole.longs(2)),
    FETCH_MAX_BYTES("fetch.max.bytes", "57671680", Whole.ints(1024)),
    FETCH_SESSION_SLOTS("max.incremental.fetch.session.cache.slots", "1000", Whole.ints(0)),
    MAX_CONNECTIONS("max.connections", "", Whole.ints(0)),
    MAX_CONNECTIONS_PER_IP("max.connections.per.ip", "2147483647", Whole.ints(0)),
    MAX_CONNECTIONS_PER_IP_OVERRIDES("max.connections.per.ip.overrides", "", new Text()),
    MAX_CONNECTION_CREATION_RATE("max.connection.creation.rate", "2147483647", Whole.ints(1)),
    CONNECTIONS_MAX_IDLE_MS("connections.max.idle.ms", "600000", Whole.longs(-1)),
    NUM_NETWORK_THREADS("num.network.threads", "", Whole.ints(1)),
    LOG_CLEANUP_POLICY("log.cleanup.policy", "delete", Words.of("delete", "compact")),
    LOG_CLEANER_MIN_CLEANABLE_RATIO("log.cleaner.min.cleanable.ratio", "0.5", new Fraction(0, 1)),
    LOG_CLEANER_DELETE_RETENTION_MS("log.cleaner.delete.retention.ms", "86400000", Whole.longs(0)),
    LOG_CLEANER_MIN_COMPACTION_LAG_MS("log.cleaner.min.compaction.lag.ms", "0", Whole.longs(0)),
    LOG_CLEANER_MAX_COMPACTION_LAG_MS("log.cleaner.max.compaction.lag.ms", "9223372036854775807", Whole.longs(1)),
    LOG_CLEANER_DEDUPE_BUFFER_SIZE("log.cleaner.dedupe.buffer.size", HeapShare.COMPACTION, Whole.longs(1 << 20)),
    LOG_CLEANER_BACKOFF_MS("log.cleaner.backoff.ms", "15000", Whole.longs(1)),
    COMPRESSION_TYPE(
            "compression.type", "producer", Choice.of("producer", "uncompressed", "gzip", "snappy", "lz4", "zstd")),
    COMPRESSION_GZIP_LEVEL("compression.gzip.level", "-1", new Level(Codec.GZIP)),
    COMPRESSION_LZ4_LEVEL("compression.lz4.level", "9", new Level(Codec.LZ4)),
    COMPRESSION_ZSTD_LEVEL("compression.zstd.level", "3", new Level(Codec.ZSTD)),
    LOG_MESSAGE_TIMESTAMP_TYPE("log.message.timestamp.type", "CreateTime", Choice.of("CreateTime", "LogAppendTime")),
    LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS("log.message.timestamp.before.max.ms", "9223372036854775807", Whole.longs(0)),
    LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS("log.message.timestamp.after.max.ms", "3600000", Whole.longs(0)),
    MIN_INSYNC_REPLICAS("min.insync.replicas", "1", Whole.ints(1)),
    LOG_RETENTION_HOURS("log.retention.hours", "", Whole.ints(-1)),
    LOG_RETENTION_MINUTES("log.retention.minutes", "", Whole.ints(-1)),
    LOG_RETENTION_MS("log.retention.ms", "604800000", Whole.longs(-1)),
    LOG_RETENTION_BYTES("log.retention.bytes", "-1", Whole.longs(-1)),
    LOG_SEGMENT_BYTES("log.segment.bytes", "1073741824", Whole.ints(1024 * 1024)),
    LOG_ROLL_MS("log.roll.ms", "604800000", Whole.longs(1)),
    LOG_ROLL_JITTER_MS("log.roll.jitter.ms", "0", Whole.longs(0)),
    LOG_FLUSH_INTERVAL_MESSAGES("log.flush.interval.messages", "9223372036854775807", Whole.longs(1)),
    LOG_FLUSH_INTERVAL_MS("log.flush.interval.ms", "9223372036854775807", Whole.longs(0)),
    LOG_INDEX_INTERVAL_BYTES("log.index.interval.bytes", "4096", Whole.ints(0)),
    LOG_INDEX_SIZE_MAX_BYTES("log.index.size.max.bytes", "10485760", Whole.ints(4)),
    LOG_PREALLOCATE("log.preallocate", "false", new Flag()),
    LOG_SEGMENT_DELETE_DELAY_MS("log.segment.delete.delay.ms", "60000", Whole.longs(0)),
    UNCLEAN_LEADER_ELECTION_ENABLE("unclean.leader.election.enable", "false", new Flag()),
    PRODUCER_ID_EXPIRATION_MS("producer.id.expiration.ms", "86400000", Whole.ints(1)),
    GROUP_MIN_SESSION_TIMEOUT_MS("group.min.session.timeout.ms", "6000", Whole.ints(1)),
    GROUP_MAX_SESSION_TIMEOUT_MS("group.max.session.timeout.ms", "1800000", Whole.ints(1)),
    GROUP_INITIAL_REBALANCE_DELAY_MS("group.initial.rebalance.delay.ms", "3000", Whole.ints(0)),
    GROUP_MAX_SIZE("group.max.size", "2147483647", Whole.ints(1)),
    GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS("group.consumer.heartbeat.interval.ms", "5000", Whole.ints(1)),
    GROUP_CONSUMER_SESSION_TIMEOUT_MS("group.consumer.session.timeout.ms", "45000", Whole.ints(1)),
    GROUP_CONSUMER_MAX_SIZE("group.consumer.max.size", "2147483647", Whole.ints(1)),
    GROUP_CONSUMER_ASSIGNORS(
            "group.consumer.assignors",
            "uniform,range",
            Choice.of("uniform,range", "range,uniform", "uniform", "range")),
    GROUP_CONSUMER_MIGRATION_POLICY(
            "group.consumer.migration.policy",
            "bidirectional",
            Choice.of("bidirectional", "upgrade", "downgrade", "disabled")),
    OFFSET_METADATA_MAX_BYTES("offset.metadata.max.bytes", "4096", new Whole(0, Short.MAX_VALUE, false)),
    OFFSETS_RETENTION_MINUTES("offsets.retention.minutes", "10080", Whole.ints(1)),
    OFFSETS_RETENTION_CHECK_INTERVAL_MS("offsets.retention.check.interval.ms", "600000", Whole.longs(1)),
    TRANSACTION_MAX_TIMEOUT_MS("transaction.max.timeout.ms", "900000", Whole.ints(1)),
    TRANSACTIONAL_ID_EXPIRATION_MS("transactional.id.expiration.ms", "604800000", Whole.ints(1)),
    TRANSACTION_EXPIRY_INTERVAL_MS(
            "transaction.remove.expired.transaction.cleanup.interval.ms", "3600000", Whole.ints(1)),
    SOCKET_SEND_BUFFER_BYTES("socket.send.buffer.bytes", "102400", Whole.ints(-1)),
    CREATE_TOPICS("rivulet.create.topics", "", new Text()),
    DURABILITY("rivulet.durability", "fsync", Choice.of("fsync", "os")),
    TAIL_BYTES("rivulet.tail.bytes", "268435456", Whole.longs(16 << 20)),
    CACHE_BYTES("rivulet.cache.bytes", "67108864", Whole.longs(4 << 20)),
    WAITING_BYTES("rivulet.waiting.bytes", "67108864", Whole.longs(1)),
    REQUEST_PATIENCE_MS("rivulet.request.patience.ms", "10000", Whole.longs(1)),
    RESPONSE_BYTES("rivulet.response.bytes", "134217728", Whole.longs(1 << 20)),
    RESPONSE_PATIENCE_MS("rivulet.response.patience.ms", "30000", Whole.longs(1)),
    FETCH_SESSIONS_BYTES("rivulet.fetch.sessions.bytes", HeapShare.FETCH_SESSIONS, Whole.longs(0)),
    READ_THREADS("rivulet.read.threads", "4", new Whole(1, 64, false)),
    MAX_QUEUES("rivulet.max.queues", "2000000", Whole.ints(1)),
    TOPICS_BYTES("rivulet.topics.bytes", HeapShare.TOPICS, Whole.longs(1 << 20)),
    MAX_GROUPS("rivulet.max.groups", "100000", Whole.ints(1)),
    GROUPS_BYTES("rivulet.groups.bytes", HeapShare.GROUPS, Whole.longs(1 << 20)),
    PRODUCERS_BYTES("rivulet.producers.bytes", HeapShare.PRODUCERS, Whole.longs(1 << 20)),
    MAX_TRANSACTIONAL_IDS("rivulet.max.transactional.ids", "100000", Whole.ints(1)),
    TRANSACTIONS_BYTES("rivulet.transactions.bytes", HeapShare.TRANSACTIONS, Whole.longs(1 << 20)),
    CLOCK_STEP_PATIENCE_MS("rivulet.clock.step.patience.ms", "3600000", Whole.longs(0)),
    SET_ASIDE_MS("rivulet.set.aside.ms", "604800000", Whole.longs(-1));

    private final String key;
    private final String defaultValue;
    private final @Nullable String shareOfHeap;

    @SuppressWarnings("ImmutableEnumChecker") // its types are all records of immutable values
    private final ConfigType type;

    BrokerKey(String key, String defaultValue, ConfigType type) {
        this(key, defaultValue, null, type);
    }

    BrokerKey(String key, HeapShare share, ConfigType type) {
        this(key, String.valueOf(share.bytes()), share.text(), type);
    }

    BrokerKey(String key, String defaultValue, @Nullable String shareOfHeap, ConfigType type) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.shareOfHeap = shareOfHeap;
        this.type = type;
    }

    /** Null if the broker has no such key. */
    public static @Nullable BrokerKey forKey(String key) {
        for (BrokerKey known : values()) {
            if (known.key.equals(key)) {
                return known;
            }
        }
        return null;
    }

    public String key() {
        return key;
    }

    /** Empty if the default is none or depends on something else. */
    public String defaultValue() {
        return defaultValue;
    }

    /** Null if the default is no share of the heap. */
    @Nullable
    String shareOfHeap() {
        return shareOfHeap;
    }

    public ConfigType type() {
        return type;
    }
}

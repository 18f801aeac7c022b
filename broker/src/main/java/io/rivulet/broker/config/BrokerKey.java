package io.rivulet.broker.config;

import static io.rivulet.broker.config.ConfigType.ANY_LIST;
import static io.rivulet.broker.config.ConfigType.FLAG;
import static io.rivulet.broker.config.ConfigType.PASSWORD;
import static io.rivulet.broker.config.ConfigType.PRINCIPALS;
import static io.rivulet.broker.config.ConfigType.TEXT;
import static io.rivulet.broker.config.ConfigType.choice;
import static io.rivulet.broker.config.ConfigType.fraction;
import static io.rivulet.broker.config.ConfigType.ints;
import static io.rivulet.broker.config.ConfigType.level;
import static io.rivulet.broker.config.ConfigType.list;
import static io.rivulet.broker.config.ConfigType.longs;
import static io.rivulet.broker.config.ConfigType.optional;
import static io.rivulet.broker.config.ConfigType.range;
import static io.rivulet.broker.config.ConfigType.space;

import io.rivulet.protocol.record.codec.Codec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the broker. A key with the meaning of one of Kafka's has that name; the others begin with "rivulet.".
 * {@code reference.md} in the resources has the help text of each.
 */
public enum BrokerKey {
    NODE_ID("node.id", "1", ints(0)),
    BROKER_RACK("broker.rack", "", TEXT),
    LISTENERS("listeners", "PLAINTEXT://localhost:9092", TEXT),
    ADVERTISED_LISTENERS("advertised.listeners", "", TEXT),
    LISTENER_SECURITY_PROTOCOL_MAP("listener.security.protocol.map", "", TEXT),
    CONTROLLER_LISTENER_NAMES("controller.listener.names", "", TEXT),
    INTER_BROKER_LISTENER_NAME("inter.broker.listener.name", "", TEXT),
    SSL_KEYSTORE_TYPE("ssl.keystore.type", "JKS", choice("JKS", "PKCS12", "PEM")),
    SSL_KEYSTORE_LOCATION("ssl.keystore.location", "", TEXT),
    SSL_KEYSTORE_PASSWORD("ssl.keystore.password", "", PASSWORD),
    SSL_KEY_PASSWORD("ssl.key.password", "", PASSWORD),
    SSL_KEYSTORE_KEY("ssl.keystore.key", "", PASSWORD),
    SSL_KEYSTORE_CERTIFICATE_CHAIN("ssl.keystore.certificate.chain", "", PASSWORD),
    SSL_TRUSTSTORE_TYPE("ssl.truststore.type", "JKS", choice("JKS", "PKCS12", "PEM")),
    SSL_TRUSTSTORE_LOCATION("ssl.truststore.location", "", TEXT),
    SSL_TRUSTSTORE_PASSWORD("ssl.truststore.password", "", PASSWORD),
    SSL_TRUSTSTORE_CERTIFICATES("ssl.truststore.certificates", "", PASSWORD),
    SSL_CLIENT_AUTH("ssl.client.auth", "none", choice("none", "requested", "required")),
    SSL_ENABLED_PROTOCOLS("ssl.enabled.protocols", "TLSv1.2,TLSv1.3", list(List.of("TLSv1.2", "TLSv1.3"), List.of())),
    SSL_PRINCIPAL_MAPPING_RULES("ssl.principal.mapping.rules", "DEFAULT", TEXT),
    SSL_CIPHER_SUITES("ssl.cipher.suites", "", ANY_LIST),
    SASL_ENABLED_MECHANISMS("sasl.enabled.mechanisms", "GSSAPI", ANY_LIST),
    SASL_JAAS_CONFIG("sasl.jaas.config", "", PASSWORD),
    SASL_SERVER_MAX_RECEIVE_SIZE("sasl.server.max.receive.size", "524288", range(1024, 100 << 20)),
    CONNECTION_FAILED_AUTHENTICATION_DELAY_MS("connection.failed.authentication.delay.ms", "100", ints(0)),
    CONNECTIONS_MAX_REAUTH_MS("connections.max.reauth.ms", "0", longs(-1)),
    SASL_OAUTHBEARER_JWKS_ENDPOINT_URL("sasl.oauthbearer.jwks.endpoint.url", "", TEXT),
    SASL_OAUTHBEARER_EXPECTED_AUDIENCE("sasl.oauthbearer.expected.audience", "", ANY_LIST),
    SASL_OAUTHBEARER_EXPECTED_ISSUER("sasl.oauthbearer.expected.issuer", "", TEXT),
    SASL_OAUTHBEARER_SCOPE_CLAIM_NAME("sasl.oauthbearer.scope.claim.name", "scope", TEXT),
    SASL_OAUTHBEARER_SUB_CLAIM_NAME("sasl.oauthbearer.sub.claim.name", "sub", TEXT),
    SASL_OAUTHBEARER_CLOCK_SKEW_SECONDS("sasl.oauthbearer.clock.skew.seconds", "30", ints(0)),
    SASL_OAUTHBEARER_JWKS_ENDPOINT_REFRESH_MS("sasl.oauthbearer.jwks.endpoint.refresh.ms", "3600000", longs(0)),
    SASL_OAUTHBEARER_JWKS_ENDPOINT_RETRY_BACKOFF_MS("sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", "100", longs(0)),
    SASL_OAUTHBEARER_JWKS_ENDPOINT_RETRY_BACKOFF_MAX_MS(
            "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", "10000", longs(0)),
    USERS("rivulet.users", "", PASSWORD),
    ADD_SCRAM("rivulet.add.scram", "", PASSWORD),
    AUTHORIZER_CLASS_NAME("authorizer.class.name", "", optional(AccessSettings.AUTHORIZER)),
    SUPER_USERS("super.users", "", PRINCIPALS),
    ALLOW_EVERYONE_IF_NO_ACL_FOUND("allow.everyone.if.no.acl.found", "false", FLAG),
    LOG_DIRS("log.dirs", "rivulet-data", TEXT),
    NUM_PARTITIONS("num.partitions", "1", ints(1)),
    DEFAULT_REPLICATION_FACTOR("default.replication.factor", "1", ints(1)),
    AUTO_CREATE_TOPICS_ENABLE("auto.create.topics.enable", "true", FLAG),
    DELETE_TOPIC_ENABLE("delete.topic.enable", "true", FLAG),
    MESSAGE_MAX_BYTES("message.max.bytes", "1048588", ints(0)),
    SOCKET_REQUEST_MAX_BYTES("socket.request.max.bytes", "104857600", ints(1)),
    QUEUED_MAX_REQUEST_BYTES("queued.max.request.bytes", "268435456", longs(2)),
    FETCH_MAX_BYTES("fetch.max.bytes", "57671680", ints(1024)),
    FETCH_SESSION_SLOTS("max.incremental.fetch.session.cache.slots", "1000", ints(0)),
    MAX_CONNECTIONS("max.connections", "", ints(0)),
    MAX_CONNECTIONS_PER_IP("max.connections.per.ip", "2147483647", ints(0)),
    MAX_CONNECTIONS_PER_IP_OVERRIDES("max.connections.per.ip.overrides", "", TEXT),
    MAX_CONNECTION_CREATION_RATE("max.connection.creation.rate", "2147483647", ints(1)),
    CONNECTIONS_MAX_IDLE_MS("connections.max.idle.ms", "600000", longs(-1)),
    NUM_NETWORK_THREADS("num.network.threads", "", ints(1)),
    TRANSPORT("rivulet.transport", "nio", choice("nio", "epoll", "io_uring", "auto")),
    LOG_CLEANUP_POLICY("log.cleanup.policy", "delete", list("delete", "compact")),
    LOG_CLEANER_MIN_CLEANABLE_RATIO("log.cleaner.min.cleanable.ratio", "0.5", fraction(0, 1)),
    LOG_CLEANER_DELETE_RETENTION_MS("log.cleaner.delete.retention.ms", "86400000", longs(0)),
    LOG_CLEANER_MIN_COMPACTION_LAG_MS("log.cleaner.min.compaction.lag.ms", "0", longs(0)),
    LOG_CLEANER_MAX_COMPACTION_LAG_MS("log.cleaner.max.compaction.lag.ms", "9223372036854775807", longs(1)),
    LOG_CLEANER_DEDUPE_BUFFER_SIZE("log.cleaner.dedupe.buffer.size", HeapShare.COMPACTION, longs(1 << 20)),
    LOG_CLEANER_BACKOFF_MS("log.cleaner.backoff.ms", "15000", longs(1)),
    COMPRESSION_TYPE(
            "compression.type", "producer", choice("producer", "uncompressed", "gzip", "snappy", "lz4", "zstd")),
    COMPRESSION_GZIP_LEVEL("compression.gzip.level", "-1", level(Codec.GZIP)),
    COMPRESSION_LZ4_LEVEL("compression.lz4.level", "9", level(Codec.LZ4)),
    COMPRESSION_ZSTD_LEVEL("compression.zstd.level", "3", level(Codec.ZSTD)),
    LOG_MESSAGE_TIMESTAMP_TYPE("log.message.timestamp.type", "CreateTime", choice("CreateTime", "LogAppendTime")),
    LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS("log.message.timestamp.before.max.ms", "9223372036854775807", longs(0)),
    LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS("log.message.timestamp.after.max.ms", "3600000", longs(0)),
    MIN_INSYNC_REPLICAS("min.insync.replicas", "1", ints(1)),
    LOG_RETENTION_HOURS("log.retention.hours", "", ints(-1)),
    LOG_RETENTION_MINUTES("log.retention.minutes", "", ints(-1)),
    LOG_RETENTION_MS("log.retention.ms", "604800000", longs(-1)),
    LOG_RETENTION_BYTES("log.retention.bytes", "-1", longs(-1)),
    LOG_LOCAL_RETENTION_MS("log.local.retention.ms", "-2", longs(-2)),
    LOG_LOCAL_RETENTION_BYTES("log.local.retention.bytes", "-2", longs(-2)),
    LOG_SEGMENT_BYTES("log.segment.bytes", "1073741824", ints(1024 * 1024)),
    LOG_ROLL_MS("log.roll.ms", "604800000", longs(1)),
    LOG_ROLL_HOURS("log.roll.hours", "", ints(1)),
    LOG_ROLL_JITTER_HOURS("log.roll.jitter.hours", "", ints(0)),
    LOG_ROLL_JITTER_MS("log.roll.jitter.ms", "0", longs(0)),
    LOG_FLUSH_INTERVAL_MESSAGES("log.flush.interval.messages", "9223372036854775807", longs(1)),
    LOG_FLUSH_INTERVAL_MS("log.flush.interval.ms", "9223372036854775807", longs(0)),
    LOG_INDEX_INTERVAL_BYTES("log.index.interval.bytes", "4096", ints(0)),
    LOG_INDEX_SIZE_MAX_BYTES("log.index.size.max.bytes", "10485760", ints(4)),
    LOG_PREALLOCATE("log.preallocate", "false", FLAG),
    LOG_SEGMENT_DELETE_DELAY_MS("log.segment.delete.delay.ms", "60000", longs(0)),
    UNCLEAN_LEADER_ELECTION_ENABLE("unclean.leader.election.enable", "false", FLAG),
    PRODUCER_ID_EXPIRATION_MS("producer.id.expiration.ms", "86400000", ints(1)),
    GROUP_MIN_SESSION_TIMEOUT_MS("group.min.session.timeout.ms", "6000", ints(0)),
    GROUP_MAX_SESSION_TIMEOUT_MS("group.max.session.timeout.ms", "1800000", ints(1)),
    GROUP_INITIAL_REBALANCE_DELAY_MS("group.initial.rebalance.delay.ms", "3000", ints(0)),
    GROUP_MAX_SIZE("group.max.size", "2147483647", ints(1)),
    GROUP_COORDINATOR_REBALANCE_PROTOCOLS(
            "group.coordinator.rebalance.protocols",
            "classic,consumer,streams",
            list("classic", "consumer", "streams", "share")),
    GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS("group.consumer.heartbeat.interval.ms", "5000", ints(1)),
    GROUP_CONSUMER_SESSION_TIMEOUT_MS("group.consumer.session.timeout.ms", "45000", ints(1)),
    GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS("group.consumer.assignment.interval.ms", "0", ints(0)),
    GROUP_CONSUMER_MAX_SIZE("group.consumer.max.size", "2147483647", ints(1)),
    GROUP_CONSUMER_ASSIGNORS("group.consumer.assignors", "uniform,range", ConsumerGroupSettings.ASSIGNORS),
    GROUP_CONSUMER_MIGRATION_POLICY(
            "group.consumer.migration.policy",
            "bidirectional",
            choice("bidirectional", "upgrade", "downgrade", "disabled")),
    GROUP_SHARE_SESSION_TIMEOUT_MS("group.share.session.timeout.ms", "45000", ints(1)),
    GROUP_SHARE_MIN_SESSION_TIMEOUT_MS("group.share.min.session.timeout.ms", "45000", ints(1)),
    GROUP_SHARE_MAX_SESSION_TIMEOUT_MS("group.share.max.session.timeout.ms", "60000", ints(1)),
    GROUP_SHARE_HEARTBEAT_INTERVAL_MS("group.share.heartbeat.interval.ms", "5000", ints(1)),
    GROUP_SHARE_MIN_HEARTBEAT_INTERVAL_MS("group.share.min.heartbeat.interval.ms", "5000", ints(1)),
    GROUP_SHARE_MAX_HEARTBEAT_INTERVAL_MS("group.share.max.heartbeat.interval.ms", "15000", ints(1)),
    GROUP_SHARE_ASSIGNMENT_INTERVAL_MS("group.share.assignment.interval.ms", "0", ints(0)),
    GROUP_SHARE_MIN_ASSIGNMENT_INTERVAL_MS("group.share.min.assignment.interval.ms", "0", ints(0)),
    GROUP_SHARE_MAX_ASSIGNMENT_INTERVAL_MS("group.share.max.assignment.interval.ms", "15000", ints(0)),
    GROUP_SHARE_MAX_SIZE("group.share.max.size", "200", range(1, 1000)),
    GROUP_SHARE_ASSIGNORS("group.share.assignors", "simple", ShareGroupSettings.ASSIGNORS),
    GROUP_SHARE_RECORD_LOCK_DURATION_MS("group.share.record.lock.duration.ms", "30000", range(1000, 3_600_000)),
    GROUP_SHARE_MIN_RECORD_LOCK_DURATION_MS("group.share.min.record.lock.duration.ms", "15000", range(1000, 30_000)),
    GROUP_SHARE_MAX_RECORD_LOCK_DURATION_MS(
            "group.share.max.record.lock.duration.ms", "60000", range(30_000, 3_600_000)),
    ERRORS_DEADLETTERQUEUE_TOPIC_NAME_PREFIX("errors.deadletterqueue.topic.name.prefix", "dlq.", TEXT),
    ERRORS_DEADLETTERQUEUE_AUTO_CREATE_TOPICS_ENABLE("errors.deadletterqueue.auto.create.topics.enable", "false", FLAG),
    GROUP_SHARE_DELIVERY_COUNT_LIMIT("group.share.delivery.count.limit", "5", range(2, 10)),
    GROUP_SHARE_MIN_DELIVERY_COUNT_LIMIT("group.share.min.delivery.count.limit", "2", range(2, 5)),
    GROUP_SHARE_MAX_DELIVERY_COUNT_LIMIT("group.share.max.delivery.count.limit", "10", range(5, 25)),
    GROUP_SHARE_PARTITION_MAX_RECORD_LOCKS("group.share.partition.max.record.locks", "2000", range(100, 10_000)),
    GROUP_SHARE_MIN_PARTITION_MAX_RECORD_LOCKS("group.share.min.partition.max.record.locks", "100", range(100, 2000)),
    GROUP_SHARE_MAX_PARTITION_MAX_RECORD_LOCKS(
            "group.share.max.partition.max.record.locks", "4000", range(2000, 10_000)),
    GROUP_SHARE_MAX_SHARE_SESSIONS("group.share.max.share.sessions", "2000", ints(1)),
    GROUP_STREAMS_HEARTBEAT_INTERVAL_MS("group.streams.heartbeat.interval.ms", "5000", ints(1)),
    GROUP_STREAMS_MIN_HEARTBEAT_INTERVAL_MS("group.streams.min.heartbeat.interval.ms", "5000", ints(1)),
    GROUP_STREAMS_MAX_HEARTBEAT_INTERVAL_MS("group.streams.max.heartbeat.interval.ms", "15000", ints(1)),
    GROUP_STREAMS_SESSION_TIMEOUT_MS("group.streams.session.timeout.ms", "45000", ints(1)),
    GROUP_STREAMS_MIN_SESSION_TIMEOUT_MS("group.streams.min.session.timeout.ms", "45000", ints(1)),
    GROUP_STREAMS_MAX_SESSION_TIMEOUT_MS("group.streams.max.session.timeout.ms", "60000", ints(1)),
    GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS("group.streams.assignment.interval.ms", "0", ints(0)),
    GROUP_STREAMS_MIN_ASSIGNMENT_INTERVAL_MS("group.streams.min.assignment.interval.ms", "0", ints(0)),
    GROUP_STREAMS_MAX_ASSIGNMENT_INTERVAL_MS("group.streams.max.assignment.interval.ms", "15000", ints(0)),
    GROUP_STREAMS_INITIAL_REBALANCE_DELAY_MS("group.streams.initial.rebalance.delay.ms", "3000", ints(0)),
    GROUP_STREAMS_MAX_SIZE("group.streams.max.size", "2147483647", ints(1)),
    GROUP_STREAMS_NUM_STANDBY_REPLICAS("group.streams.num.standby.replicas", "0", ints(0)),
    GROUP_STREAMS_MAX_STANDBY_REPLICAS("group.streams.max.standby.replicas", "2", ints(0)),
    OFFSET_METADATA_MAX_BYTES("offset.metadata.max.bytes", "4096", range(0, Short.MAX_VALUE)),
    OFFSETS_TOPIC_NUM_PARTITIONS("offsets.topic.num.partitions", "50", ints(1)),
    OFFSETS_RETENTION_MINUTES("offsets.retention.minutes", "10080", ints(1)),
    OFFSETS_RETENTION_CHECK_INTERVAL_MS("offsets.retention.check.interval.ms", "600000", longs(1)),
    TRANSACTION_MAX_TIMEOUT_MS("transaction.max.timeout.ms", "900000", ints(1)),
    TRANSACTION_STATE_LOG_NUM_PARTITIONS("transaction.state.log.num.partitions", "50", ints(1)),
    TRANSACTIONAL_ID_EXPIRATION_MS("transactional.id.expiration.ms", "604800000", ints(1)),
    TRANSACTION_EXPIRY_INTERVAL_MS("transaction.remove.expired.transaction.cleanup.interval.ms", "3600000", ints(1)),
    QUOTA_WINDOW_NUM("quota.window.num", "11", ints(1)),
    QUOTA_WINDOW_SIZE_SECONDS("quota.window.size.seconds", "1", ints(1)),
    CONTROLLER_QUOTA_WINDOW_NUM("controller.quota.window.num", "11", ints(1)),
    CONTROLLER_QUOTA_WINDOW_SIZE_SECONDS("controller.quota.window.size.seconds", "1", ints(1)),
    SOCKET_SEND_BUFFER_BYTES("socket.send.buffer.bytes", "102400", ints(-1)),
    TLS("rivulet.tls", "keystore", choice("keystore", "self-signed")),
    CREATE_TOPICS("rivulet.create.topics", "", TEXT),
    DURABILITY("rivulet.durability", "fsync", choice("fsync", "os")),
    CLUSTER("rivulet.cluster", "", ConfigType.CLUSTER),
    CLUSTER_FAILOVER("rivulet.cluster.failover", "false", FLAG),
    CLUSTER_SESSION_TIMEOUT_MS("rivulet.cluster.session.timeout.ms", "6000", range(2_000, 20_000)),
    TAIL_BYTES("rivulet.tail.bytes", "268435456", longs(16 << 20)),
    CACHE_BYTES("rivulet.cache.bytes", "67108864", longs(4 << 20)),
    WAITING_BYTES("rivulet.waiting.bytes", "67108864", longs(1)),
    REQUEST_PATIENCE_MS("rivulet.request.patience.ms", "10000", longs(1)),
    RESPONSE_BYTES("rivulet.response.bytes", "134217728", longs(1 << 20)),
    RESPONSE_PATIENCE_MS("rivulet.response.patience.ms", "30000", longs(1)),
    FETCH_SESSIONS_BYTES("rivulet.fetch.sessions.bytes", HeapShare.FETCH_SESSIONS, longs(0)),
    DISK_HEADROOM("rivulet.disk.headroom", "0", space()),
    READ_THREADS("rivulet.read.threads", "4", range(1, 64)),
    HTTP_LISTENER("rivulet.http.listener", "localhost:9644", TEXT),
    CONSOLE("rivulet.console", "", choice("off", "on")),
    CONSOLE_LISTENER("rivulet.console.listener", "none", TEXT),
    CONSOLE_HOSTS("rivulet.console.hosts", "", TEXT),
    CONSOLE_WRITES("rivulet.console.writes", "false", FLAG),
    METRICS_TOPICS("rivulet.metrics.topics", "1000", range(0, 10_000)),
    METRICS_GROUPS("rivulet.metrics.groups", "1000", range(0, 10_000)),
    REPLICATION_FACTOR_MAX("rivulet.replication.factor.max", "refuse", choice("refuse", "accept")),
    MAX_QUEUES("rivulet.max.queues", "2000000", ints(1)),
    TOPICS_BYTES("rivulet.topics.bytes", HeapShare.TOPICS, longs(1 << 20)),
    MAX_GROUPS("rivulet.max.groups", "100000", ints(1)),
    GROUPS_BYTES("rivulet.groups.bytes", HeapShare.GROUPS, longs(1 << 20)),
    PRODUCERS_BYTES("rivulet.producers.bytes", HeapShare.PRODUCERS, longs(1 << 20)),
    MAX_TRANSACTIONAL_IDS("rivulet.max.transactional.ids", "100000", ints(1)),
    SHARE_BYTES("rivulet.share.bytes", HeapShare.SHARE_GROUPS, longs(1 << 20)),
    TRANSACTIONS_BYTES("rivulet.transactions.bytes", HeapShare.TRANSACTIONS, longs(1 << 20)),
    CLOCK_STEP_PATIENCE_MS("rivulet.clock.step.patience.ms", "3600000", longs(0)),
    SET_ASIDE_MS("rivulet.set.aside.ms", "604800000", longs(-1)),
    LOG_FORMAT("rivulet.log.format", "text", choice("text", "json")),
    LOG_SLOW_REQUEST_MS("rivulet.log.slow.request.ms", "0", longs(0));

    private final String key;
    private final String defaultValue;
    private final @Nullable String shareOfHeap;

    @SuppressWarnings("ImmutableEnumChecker") // the predicates of types have no state
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

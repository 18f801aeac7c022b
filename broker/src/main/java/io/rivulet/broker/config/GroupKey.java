package io.rivulet.broker.config;

import org.jspecify.annotations.Nullable;

/**
 * The keys that a group may have, with Kafka's names. The broker's key, which begins with {@code group.}, gives the
 * default and the bounds.
 */
public enum GroupKey {
    CONSUMER_ASSIGNMENT_INTERVAL_MS("consumer.assignment.interval.ms", ConfigType.ints(0), true),
    CONSUMER_HEARTBEAT_INTERVAL_MS("consumer.heartbeat.interval.ms", ConfigType.ints(1), true),
    CONSUMER_SESSION_TIMEOUT_MS("consumer.session.timeout.ms", ConfigType.ints(1), true),
    ERRORS_DEADLETTERQUEUE_COPY_RECORD_ENABLE(
            "errors.deadletterqueue.copy.record.enable",
            ConfigType.FLAG,
            "false",
            "Whether a dead letter of a share group has the key, the value and the headers of its record."),
    ERRORS_DEADLETTERQUEUE_TOPIC_NAME(
            "errors.deadletterqueue.topic.name",
            DeadLetterConfig.TOPIC_NAME,
            "",
            "The topic that gets a dead letter for each record that members of a share group have rejected or got too"
                    + " often. Its config `errors.deadletterqueue.group.enable` must be true."),
    SHARE_ASSIGNMENT_INTERVAL_MS("share.assignment.interval.ms", ConfigType.ints(0), true),
    SHARE_AUTO_OFFSET_RESET(
            "share.auto.offset.reset",
            ShareOffsetReset.TYPE,
            "latest",
            "Where a share group begins in a partition: `latest`, `earliest`, or `by_duration:` and an ISO-8601"
                    + " duration such as `by_duration:PT1H`, for the first record that is not older."),
    SHARE_DELIVERY_COUNT_LIMIT("share.delivery.count.limit", ConfigType.ints(2), true),
    SHARE_HEARTBEAT_INTERVAL_MS("share.heartbeat.interval.ms", ConfigType.ints(1), true),
    SHARE_ISOLATION_LEVEL(
            "share.isolation.level",
            ConfigType.choice("read_committed", "read_uncommitted"),
            "read_uncommitted",
            "Whether a share group gets records of transactions only when they are committed."),
    SHARE_PARTITION_MAX_RECORD_LOCKS("share.partition.max.record.locks", ConfigType.ints(100), true),
    SHARE_RECORD_LOCK_DURATION_MS("share.record.lock.duration.ms", ConfigType.ints(1000), true),
    SHARE_RENEW_ACKNOWLEDGE_ENABLE(
            "share.renew.acknowledge.enable",
            ConfigType.FLAG,
            "true",
            "Whether a member of a share group may extend the time in which it has to acknowledge a record."),
    SHARE_SESSION_TIMEOUT_MS("share.session.timeout.ms", ConfigType.ints(1), true),
    STREAMS_ASSIGNMENT_INTERVAL_MS("streams.assignment.interval.ms", ConfigType.ints(0), true),
    STREAMS_HEARTBEAT_INTERVAL_MS("streams.heartbeat.interval.ms", ConfigType.ints(1), true),
    STREAMS_INITIAL_REBALANCE_DELAY_MS("streams.initial.rebalance.delay.ms", ConfigType.ints(0), false),
    STREAMS_NUM_STANDBY_REPLICAS("streams.num.standby.replicas", ConfigType.ints(0), true),
    STREAMS_SESSION_TIMEOUT_MS("streams.session.timeout.ms", ConfigType.ints(1), true);

    private static final String PREFIX = "group.";

    private final String key;

    @SuppressWarnings("ImmutableEnumChecker") // the predicates of types have no state
    private final ConfigType type;

    private final @Nullable String ownDefault;
    private final @Nullable String ownText;
    private final boolean bounded;

    /** @param bounded whether keys of the broker bound the value */
    GroupKey(String key, ConfigType type, boolean bounded) {
        this.key = key;
        this.type = type;
        this.ownDefault = null;
        this.ownText = null;
        this.bounded = bounded;
    }

    /** A key without one of the broker. */
    GroupKey(String key, ConfigType type, String ownDefault, String ownText) {
        this.key = key;
        this.type = type;
        this.ownDefault = ownDefault;
        this.ownText = ownText;
        this.bounded = false;
    }

    /** Null if groups have no such key. */
    public static @Nullable GroupKey forKey(String key) {
        for (GroupKey known : values()) {
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

    /** The default, if the broker has no key for it. */
    public @Nullable String ownDefault() {
        return ownDefault;
    }

    /** The help text, if the broker has no key for it. */
    public @Nullable String ownText() {
        return ownText;
    }

    public String brokerKey() {
        return PREFIX + key;
    }

    public boolean isBounded() {
        return bounded;
    }

    /**
     * The broker's key with the smallest or largest value.
     *
     * @param bound min or max
     */
    public String boundKey(String bound) {
        int dot = key.indexOf('.');
        String name = this == STREAMS_NUM_STANDBY_REPLICAS ? ".standby.replicas" : key.substring(dot);
        return PREFIX + key.substring(0, dot) + "." + bound + name;
    }
}

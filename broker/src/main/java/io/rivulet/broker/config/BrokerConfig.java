package io.rivulet.broker.config;

import io.netty.util.internal.PlatformDependent;
import io.rivulet.store.Durability;
import io.rivulet.store.open.StoreConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a broker, resolved once from properties. Immutable.
 *
 * @param values the value of each key
 * @param maxRequestBytes the limit of one request; {@code requestBytes} is that of all requests not answered yet
 * @param maxDecompressedBytes the limit of the decompressed records of a batch
 */
public record BrokerConfig(
        ConfigValues values,
        int nodeId,
        List<Listener> listeners,
        Path dataDirectory,
        int defaultPartitions,
        ReplicationFactors replication,
        boolean autoCreateTopics,
        boolean deleteTopics,
        int maxRequestBytes,
        long requestBytes,
        long requestPatienceMillis,
        int maxDecompressedBytes,
        int maxFetchBytes,
        int fetchSessionSlots,
        long fetchSessionBytes,
        long responseBytes,
        long responsePatienceMillis,
        ConnectionSettings connections,
        HttpSettings http,
        int networkThreads,
        int readThreads,
        int maxQueues,
        long topicsBytes,
        long producerExpirationMillis,
        long clockStepPatienceMillis,
        long producerBytes,
        long shareBytes,
        TopicSettings topicDefaults,
        GroupSettings groups,
        ConsumerGroupSettings consumerGroups,
        ShareGroupSettings shareGroups,
        StreamsGroupSettings streamsGroups,
        TransactionSettings transactions,
        List<TopicAtStart> topicsAtStart,
        StoreConfig store) {
    /** The decompressed records of a batch may take this part of the heap. */
    private static final int SHARE_OF_HEAP = 8;

    private static final int SHARE_OF_SHORT_ANSWERS = 4;
    private static final int MOST_DECOMPRESSED_BYTES = 100 << 20;

    /**
     * @throws ConfigException if a value is not allowed
     */
    public static BrokerConfig of(Map<String, String> properties) {
        return of(properties, PlatformDependent.maxDirectMemory());
    }

    /** @param directBytes the direct memory that the JVM has */
    static BrokerConfig of(Map<String, String> properties, long directBytes) {
        ConfigValues values = ConfigValues.read(properties);
        Map<String, String> resolved = DirectMemory.resolve(
                values.given(),
                directBytes - SaslSettings.memoryBytes(values),
                values.integer(BrokerKey.READ_THREADS),
                eventLoops(values));
        BrokerConfig config = of(values.withResolved(resolved), DirectMemory.logGroups(directBytes));
        DirectMemory.require(config, directBytes);
        if (config.sharesShard() && config.cluster().isEmpty()) {
            throw new ConfigException(BrokerKey.CLUSTER_FAILOVER.key(), "true", "false without rivulet.cluster");
        }
        if (config.sharesShard()) {
            Listener.requireKnown(BrokerKey.INTER_BROKER_LISTENER_NAME, values, config.listeners);
        }
        return config;
    }

    private static BrokerConfig of(ConfigValues values, int logGroups) {
        List<Listener> listeners = Listener.parse(values);
        return new BrokerConfig(
                values,
                values.integer(BrokerKey.NODE_ID),
                listeners,
                dataDirectory(values.text(BrokerKey.LOG_DIRS)),
                values.integer(BrokerKey.NUM_PARTITIONS),
                ReplicationFactors.of(values),
                values.flag(BrokerKey.AUTO_CREATE_TOPICS_ENABLE),
                values.flag(BrokerKey.DELETE_TOPIC_ENABLE),
                values.integer(BrokerKey.SOCKET_REQUEST_MAX_BYTES),
                values.number(BrokerKey.QUEUED_MAX_REQUEST_BYTES),
                values.number(BrokerKey.REQUEST_PATIENCE_MS),
                (int) Math.min(MOST_DECOMPRESSED_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP),
                values.integer(BrokerKey.FETCH_MAX_BYTES),
                values.integer(BrokerKey.FETCH_SESSION_SLOTS),
                values.number(BrokerKey.FETCH_SESSIONS_BYTES),
                values.number(BrokerKey.RESPONSE_BYTES),
                values.number(BrokerKey.RESPONSE_PATIENCE_MS),
                ConnectionSettings.of(values),
                HttpSettings.of(values, listeners),
                eventLoops(values),
                values.integer(BrokerKey.READ_THREADS),
                values.integer(BrokerKey.MAX_QUEUES),
                values.number(BrokerKey.TOPICS_BYTES),
                values.number(BrokerKey.PRODUCER_ID_EXPIRATION_MS),
                values.number(BrokerKey.CLOCK_STEP_PATIENCE_MS),
                values.number(BrokerKey.PRODUCERS_BYTES),
                values.number(BrokerKey.SHARE_BYTES),
                TopicSettings.ofBroker(values.given()),
                GroupSettings.of(values),
                ConsumerGroupSettings.of(values),
                ShareGroupSettings.of(values),
                StreamsGroupSettings.of(values),
                TransactionSettings.of(values),
                TopicAtStart.parse(
                        values.text(BrokerKey.CREATE_TOPICS),
                        ReplicationFactors.of(values).acceptAny()),
                store(values, logGroups));
    }

    /**
     * By default half of the cores; the threads of the store need the others. With more loops, each wake-up answers
     * fewer requests.
     */
    private static int eventLoops(ConfigValues values) {
        return values.isGiven(BrokerKey.NUM_NETWORK_THREADS)
                ? values.integer(BrokerKey.NUM_NETWORK_THREADS)
                : (Runtime.getRuntime().availableProcessors() + 1) / 2;
    }

    private static Path dataDirectory(String logDirs) {
        if (logDirs.isBlank() || logDirs.contains(",")) {
            throw new ConfigException(BrokerKey.LOG_DIRS.key(), logDirs, "one directory");
        }
        return Path.of(logDirs);
    }

    private static StoreConfig store(ConfigValues values, int logGroups) {
        Durability durability = values.text(BrokerKey.DURABILITY).equals("os") ? Durability.OS : Durability.FSYNC;
        StoreConfig sized = StoreConfig.DEFAULT
                .withDurability(durability)
                .withLogGroups(logGroups)
                .withMemory(values.number(BrokerKey.TAIL_BYTES), values.number(BrokerKey.CACHE_BYTES));
        return sized.withMaxWaitingBytes(values.number(BrokerKey.WAITING_BYTES))
                .withCompaction(
                        values.number(BrokerKey.LOG_CLEANER_DEDUPE_BUFFER_SIZE),
                        values.number(BrokerKey.LOG_CLEANER_BACKOFF_MS))
                .withSetAside(values.number(BrokerKey.SET_ASIDE_MS));
    }

    /** Memory for requests of clients that have not logged in; 0 if no listener has logins. */
    public long loginBytes() {
        return SaslSettings.memoryBytes(values);
    }

    /** The longest request of a client that has not logged in. */
    public int maxLoginRequestBytes() {
        return (int) SaslSettings.longestReceive(values);
    }

    /** Pairs of name and password; empty if there are none. */
    public String users() {
        return values.text(BrokerKey.USERS);
    }

    /** Users of SCRAM that a start makes if they are not there; empty if there are none. */
    public String usersToAdd() {
        return values.text(BrokerKey.ADD_SCRAM);
    }

    /** The limit of short responses that wait to be written, over all connections. */
    public long shortAnswerBytes() {
        return responseBytes / SHARE_OF_SHORT_ANSWERS;
    }

    /** Requests that take as long are logged; 0 for none. */
    public long slowRequestMillis() {
        return values.number(BrokerKey.LOG_SLOW_REQUEST_MS);
    }

    /** What producers must leave free on the disk. */
    public SpaceLimit diskHeadroom() {
        return new SpaceLimit(values.text(BrokerKey.DISK_HEADROOM));
    }

    /** Where the commit log is; empty if it is in the data directory. */
    public String cluster() {
        return values.text(BrokerKey.CLUSTER).strip();
    }

    /** Whether other brokers take over what this one has, and it what they have. */
    public boolean sharesShard() {
        return values.flag(BrokerKey.CLUSTER_FAILOVER);
    }

    /** The listener at whose advertised host other brokers reach this one; null if they connect as clients do. */
    public @Nullable Listener interBrokerListener() {
        return Listener.named(values.text(BrokerKey.INTER_BROKER_LISTENER_NAME), listeners);
    }

    /** The transport of sockets, by name, or "auto". */
    public String transport() {
        return values.text(BrokerKey.TRANSPORT);
    }

    /** After so much silence of the broker that owns the log, others take over. */
    public int clusterSessionMillis() {
        return values.integer(BrokerKey.CLUSTER_SESSION_TIMEOUT_MS);
    }

    /** Who may do what. */
    public AccessSettings access() {
        return AccessSettings.of(values);
    }

    /** The number of topics with metrics of their own. */
    public int metricTopics() {
        return values.integer(BrokerKey.METRICS_TOPICS);
    }

    /** The number of pairs of group and topic with metrics of their own. */
    public int metricGroups() {
        return values.integer(BrokerKey.METRICS_GROUPS);
    }

    /** The number of partitions of an internal topic. */
    public int partitions(BrokerKey ofTopic) {
        return values.integer(ofTopic);
    }
}

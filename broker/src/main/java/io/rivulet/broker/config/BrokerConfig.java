package io.rivulet.broker.config;

import io.netty.util.internal.PlatformDependent;
import io.rivulet.broker.config.ConfigType.Whole;
import io.rivulet.store.Durability;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How the broker runs: concluded once from properties. Immutable.
 *
 * @param values what was given, by key; the rest are defaults
 * @param concluded values of keys that were not given and whose defaults depend on the machine, by key
 * @param unknownKeys keys that were given and mean nothing here
 * @param maxRequestBytes of one request; {@code requestBytes} of all that are not answered
 * @param maxDecompressedBytes what the records of a batch may take
 */
public record BrokerConfig(
        Map<String, String> values,
        Map<String, String> concluded,
        List<String> unknownKeys,
        int nodeId,
        List<Listener> listeners,
        Path dataDirectory,
        int defaultPartitions,
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
        int networkThreads,
        int readThreads,
        int maxQueues,
        long topicsBytes,
        long producerExpirationMillis,
        long clockStepPatienceMillis,
        long producerBytes,
        TopicSettings topicDefaults,
        GroupSettings groups,
        ConsumerGroupSettings consumerGroups,
        TransactionSettings transactions,
        List<TopicAtStart> topicsAtStart,
        StoreConfig store) {
    /** No log group holds more: a group's 4 MiB, less what surrounds a batch in it. */
    static final int MAX_BATCH_BYTES = (4 << 20) - 4096;

    /** Records of a batch may take as much of the heap, when each is looked at as a whole. */
    private static final int SHARE_OF_HEAP = 8;

    private static final int SHARE_OF_SHORT_ANSWERS = 4;
    private static final int MOST_DECOMPRESSED_BYTES = 100 << 20;
    private static final long MILLIS_PER_MINUTE = 60_000;
    private static final long MILLIS_PER_HOUR = 3_600_000;

    /**
     * @throws ConfigException when a value is not allowed
     */
    public static BrokerConfig of(Map<String, String> properties) {
        return of(properties, PlatformDependent.maxDirectMemory());
    }

    /** @param directBytes what there is outside the heap */
    static BrokerConfig of(Map<String, String> properties, long directBytes) {
        Map<String, String> known = new TreeMap<>();
        TreeSet<String> unknown = new TreeSet<>();
        properties.forEach((key, value) -> {
            // log.dir is log.dirs for those who have one.
            BrokerKey brokerKey =
                    BrokerKey.forKey(key.equals("log.dir") ? "log.dirs" : key.equals("broker.id") ? "node.id" : key);
            if (brokerKey == null) {
                unknown.add(key);
            } else {
                brokerKey.type().check(key, value);
                known.put(brokerKey.key(), value.strip());
            }
        });
        concludeRetention(known);
        return conclude(Map.copyOf(known), List.copyOf(unknown), directBytes);
    }

    private static BrokerConfig conclude(Map<String, String> given, List<String> unknownKeys, long directBytes) {
        Values values = new Values(given, Map.of());
        Map<String, String> concluded =
                DirectMemory.conclude(given, directBytes, values.integer(BrokerKey.READ_THREADS), eventLoops(values));
        BrokerConfig config = conclude(new Values(given, concluded), unknownKeys, DirectMemory.logGroups(directBytes));
        DirectMemory.require(config, directBytes);
        return config;
    }

    /** The finest unit that is given counts, as in Kafka. */
    private static void concludeRetention(Map<String, String> known) {
        String minutes = known.get(BrokerKey.LOG_RETENTION_MINUTES.key());
        String hours = known.get(BrokerKey.LOG_RETENTION_HOURS.key());
        if (minutes != null) {
            known.putIfAbsent(BrokerKey.LOG_RETENTION_MS.key(), millis(minutes, MILLIS_PER_MINUTE));
        } else if (hours != null) {
            known.putIfAbsent(BrokerKey.LOG_RETENTION_MS.key(), millis(hours, MILLIS_PER_HOUR));
        }
    }

    private static String millis(String value, long unitMillis) {
        long number = Long.parseLong(value);
        return String.valueOf(number < 0 ? -1 : number * unitMillis);
    }

    private static BrokerConfig conclude(Values values, List<String> unknownKeys, int logGroups) {
        return new BrokerConfig(
                values.given,
                values.concluded,
                unknownKeys,
                values.integer(BrokerKey.NODE_ID),
                Listener.parse(
                        values.text(BrokerKey.LISTENERS),
                        values.text(BrokerKey.ADVERTISED_LISTENERS),
                        values.text(BrokerKey.LISTENER_SECURITY_PROTOCOL_MAP),
                        values.text(BrokerKey.CONTROLLER_LISTENER_NAMES)),
                dataDirectory(values.text(BrokerKey.LOG_DIRS)),
                values.integer(BrokerKey.NUM_PARTITIONS),
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
                connections(values),
                eventLoops(values),
                values.integer(BrokerKey.READ_THREADS),
                values.integer(BrokerKey.MAX_QUEUES),
                values.number(BrokerKey.TOPICS_BYTES),
                values.number(BrokerKey.PRODUCER_ID_EXPIRATION_MS),
                values.number(BrokerKey.CLOCK_STEP_PATIENCE_MS),
                values.number(BrokerKey.PRODUCERS_BYTES),
                TopicSettings.ofBroker(values.given),
                groups(values),
                consumerGroups(values),
                transactions(values),
                TopicAtStart.parse(values.text(BrokerKey.CREATE_TOPICS)),
                store(values, logGroups));
    }

    private static ConnectionSettings connections(Values values) {
        return new ConnectionSettings(
                values.has(BrokerKey.MAX_CONNECTIONS)
                        ? values.integer(BrokerKey.MAX_CONNECTIONS)
                        : StoreEnvironment.connectionDescriptors(),
                values.integer(BrokerKey.MAX_CONNECTIONS_PER_IP),
                ConnectionSettings.parseOverrides(values.text(BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES)),
                values.integer(BrokerKey.MAX_CONNECTION_CREATION_RATE),
                values.number(BrokerKey.CONNECTIONS_MAX_IDLE_MS),
                values.integer(BrokerKey.SOCKET_SEND_BUFFER_BYTES));
    }

    private static int eventLoops(Values values) {
        return values.has(BrokerKey.NUM_NETWORK_THREADS)
                ? values.integer(BrokerKey.NUM_NETWORK_THREADS)
                : defaultEventLoops();
    }

    /**
     * Half of the cores: log writer, forces and maintenance want the others. With as many loops as cores there are more wake-ups, and fewer
     * answers to each of them.
     */
    private static int defaultEventLoops() {
        return (Runtime.getRuntime().availableProcessors() + 1) / 2;
    }

    private static GroupSettings groups(Values values) {
        return new GroupSettings(
                values.integer(BrokerKey.GROUP_MIN_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_MAX_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_INITIAL_REBALANCE_DELAY_MS),
                values.integer(BrokerKey.GROUP_MAX_SIZE),
                values.integer(BrokerKey.OFFSET_METADATA_MAX_BYTES),
                values.number(BrokerKey.OFFSETS_RETENTION_MINUTES) * MILLIS_PER_MINUTE,
                values.number(BrokerKey.OFFSETS_RETENTION_CHECK_INTERVAL_MS),
                values.integer(BrokerKey.MAX_GROUPS),
                values.number(BrokerKey.GROUPS_BYTES));
    }

    private static ConsumerGroupSettings consumerGroups(Values values) {
        String migration = values.text(BrokerKey.GROUP_CONSUMER_MIGRATION_POLICY);
        boolean both = migration.equals("bidirectional");
        return new ConsumerGroupSettings(
                values.integer(BrokerKey.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS),
                values.integer(BrokerKey.GROUP_CONSUMER_SESSION_TIMEOUT_MS),
                values.integer(BrokerKey.GROUP_CONSUMER_MAX_SIZE),
                List.of(values.text(BrokerKey.GROUP_CONSUMER_ASSIGNORS).split(",", -1)),
                both || migration.equals("upgrade"),
                both || migration.equals("downgrade"));
    }

    private static TransactionSettings transactions(Values values) {
        return new TransactionSettings(
                values.integer(BrokerKey.TRANSACTION_MAX_TIMEOUT_MS),
                values.number(BrokerKey.TRANSACTIONAL_ID_EXPIRATION_MS),
                values.number(BrokerKey.TRANSACTION_EXPIRY_INTERVAL_MS),
                values.integer(BrokerKey.MAX_TRANSACTIONAL_IDS),
                values.number(BrokerKey.TRANSACTIONS_BYTES));
    }

    private static Path dataDirectory(String logDirs) {
        if (logDirs.isBlank() || logDirs.contains(",")) {
            throw new ConfigException(BrokerKey.LOG_DIRS.key(), logDirs, "one directory");
        }
        return Path.of(logDirs);
    }

    private static StoreConfig store(Values values, int logGroups) {
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

    /** What short answers that wait to be written may take, over all connections. */
    public long shortAnswerBytes() {
        return responseBytes / SHARE_OF_SHORT_ANSWERS;
    }

    /** The value of a key, given or default. */
    public String value(BrokerKey key) {
        return new Values(values, concluded).text(key);
    }

    private record Values(Map<String, String> given, Map<String, String> concluded) {
        boolean has(BrokerKey key) {
            return given.containsKey(key.key());
        }

        String text(BrokerKey key) {
            return given.getOrDefault(key.key(), concluded.getOrDefault(key.key(), key.defaultValue()));
        }

        long number(BrokerKey key) {
            return ((Whole) key.type()).parse(key.key(), text(key));
        }

        int integer(BrokerKey key) {
            return (int) number(key);
        }

        boolean flag(BrokerKey key) {
            return Boolean.parseBoolean(text(key));
        }
    }
}

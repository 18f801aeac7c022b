package io.rivulet.broker.config;

import io.rivulet.store.memory.MemoryBudget;
import io.rivulet.store.open.StoreConfig;
import java.util.HashMap;
import java.util.Map;

/**
 * How the memory outside the heap is shared out: the sum of all terms is checked at the start against what the virtual machine gives
 * ({@code -XX:MaxDirectMemorySize}, or as much as the heap). So the engine's part is there when it is needed, whatever clients send.
 * Nothing is allocated here.
 *
 * <p>Where there is little, the terms that nobody has set are smaller than their defaults. Stateless.
 */
final class DirectMemory {
    private static final long MIB = 1 << 20;

    /** Buffers of the background thread for writing, merging and compacting, runs of the cache, replay. */
    private static final long WORK_BYTES = 24 * MIB;
    /** Of a read thread that has met a batch of the largest size, and of one that has met none. */
    private static final long READER_BYTES = 11 * MIB / 2;

    private static final long LOOP_BYTES = 3 * MIB / 2;
    /** Parts of the pool that are free, and small answers. */
    private static final long POOL_BYTES = 16 * MIB;

    private static final int LEAST_GROUPS = 4;
    private static final int MOST_GROUPS = 12;
    private static final long LIMIT_OF_A_GROUP = 32 * MIB;

    /** How what is left is shared out; answers have a quarter more, for short ones. */
    private static final Map<BrokerKey, Integer> WEIGHTS =
            Map.of(BrokerKey.TAIL_BYTES, 24, BrokerKey.CACHE_BYTES, 4, BrokerKey.RESPONSE_BYTES, 8);

    private static final int SPARE_WEIGHT = 4;

    private DirectMemory() {}

    /** How many log groups there are: fewer where there is little. */
    static int logGroups(long limitBytes) {
        return (int) Math.max(LEAST_GROUPS, Math.min(MOST_GROUPS, limitBytes / LIMIT_OF_A_GROUP));
    }

    /**
     * Values of the keys that were not given and are to be smaller than their defaults, or depend on others.
     *
     * @param given by key
     */
    static Map<String, String> conclude(Map<String, String> given, long limitBytes, int readThreads, int loops) {
        long left = Math.max(0, limitBytes - fixedBytes(logGroups(limitBytes), readThreads, loops));
        Map<String, String> concluded = new HashMap<>();
        left -= concludeRequests(given, left, concluded);
        int weights = 0;
        for (var weight : WEIGHTS.entrySet()) {
            if (given.containsKey(weight.getKey().key())) {
                left -= number(weight.getKey(), given.get(weight.getKey().key()));
            } else {
                weights += weight.getValue();
            }
        }
        for (var weight : WEIGHTS.entrySet()) {
            if (!given.containsKey(weight.getKey().key())) {
                putShare(concluded, weight.getKey(), Math.max(0, left) * weight.getValue() / (weights + SPARE_WEIGHT));
            }
        }
        return concluded;
    }

    /** What requests take: all that are not answered, and one that is compressed anew. */
    private static long concludeRequests(Map<String, String> given, long left, Map<String, String> concluded) {
        BrokerKey all = BrokerKey.QUEUED_MAX_REQUEST_BYTES;
        BrokerKey one = BrokerKey.SOCKET_REQUEST_MAX_BYTES;
        long allBytes = given.containsKey(all.key()) ? number(all, given.get(all.key())) : share(all, left / 4);
        long oneBytes = given.containsKey(one.key()) ? number(one, given.get(one.key())) : share(one, allBytes / 2);
        if (!given.containsKey(all.key())) {
            allBytes = Math.max(allBytes, 2 * oneBytes);
        }
        concluded.put(all.key(), Long.toString(allBytes));
        concluded.put(one.key(), Long.toString(oneBytes));
        return allBytes + oneBytes;
    }

    private static void putShare(Map<String, String> concluded, BrokerKey key, long bytes) {
        concluded.put(key.key(), Long.toString(share(key, bytes)));
    }

    /** No more than the default, and no less than is allowed. */
    private static long share(BrokerKey key, long bytes) {
        long least = ((ConfigType.Whole) key.type()).min();
        return Math.max(least, Math.min(number(key, key.defaultValue()), bytes));
    }

    private static long number(BrokerKey key, String value) {
        return ((ConfigType.Whole) key.type()).parse(key.key(), value);
    }

    private static long fixedBytes(int logGroups, int readThreads, int loops) {
        StoreConfig store = StoreConfig.DEFAULT;
        return logGroups * store.logGroupBytes()
                + WORK_BYTES
                + readThreads * READER_BYTES
                + loops * LOOP_BYTES
                + POOL_BYTES;
    }

    /**
     * @throws ConfigException when there is not enough for all of it
     */
    static void require(BrokerConfig config, long limitBytes) {
        if (config.requestBytes() < 2L * config.maxRequestBytes()) {
            throw new ConfigException(
                    BrokerKey.QUEUED_MAX_REQUEST_BYTES.key(),
                    Long.toString(config.requestBytes()),
                    "at least twice socket.request.max.bytes, which is " + config.maxRequestBytes());
        }
        StoreConfig store = config.store();
        MemoryBudget.Terms terms = MemoryBudget.ofLimit(limitBytes)
                .term("log groups", store.logGroups() * store.logGroupBytes())
                .term(BrokerKey.TAIL_BYTES.key(), store.tailBytes())
                .term(BrokerKey.CACHE_BYTES.key(), store.cacheBytes())
                .term("buffers of the store", WORK_BYTES)
                .term(BrokerKey.READ_THREADS.key(), config.readThreads() * READER_BYTES)
                .term(BrokerKey.NUM_NETWORK_THREADS.key(), config.networkThreads() * LOOP_BYTES)
                .term(BrokerKey.QUEUED_MAX_REQUEST_BYTES.key(), config.requestBytes())
                .term(BrokerKey.SOCKET_REQUEST_MAX_BYTES.key() + " once for compression", config.maxRequestBytes())
                .term(BrokerKey.RESPONSE_BYTES.key(), config.responseBytes())
                .term("short answers", config.shortAnswerBytes())
                .term("pool", POOL_BYTES);
        try {
            MemoryBudget unused = terms.conclude();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "-XX:MaxDirectMemorySize", Long.toString(limitBytes), String.valueOf(e.getMessage()));
        }
    }
}

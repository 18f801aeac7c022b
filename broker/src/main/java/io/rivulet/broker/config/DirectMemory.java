package io.rivulet.broker.config;

import io.rivulet.store.memory.MemoryBudget;
import io.rivulet.store.open.StoreConfig;
import java.util.HashMap;
import java.util.Map;

/**
 * The budget of direct memory. A start checks the sum of all terms against the memory that the JVM has ({@code
 * -XX:MaxDirectMemorySize}, or as much as the heap), so requests of clients can't take memory that the store needs.
 * Nothing is allocated here.
 *
 * <p>If the JVM has little direct memory, terms that are not configured are smaller than their defaults. Stateless.
 */
final class DirectMemory {
    private static final long MIB = 1 << 20;

    /** Buffers to write, merge, compact and replay, and runs of the cache. */
    private static final long WORK_BYTES = 24 * MIB;
    /** A read thread that has read a batch of the largest size. */
    private static final long READER_BYTES = 11 * MIB / 2;

    private static final long LOOP_BYTES = 3 * MIB / 2;
    /** Free parts of the pool, and small responses. */
    private static final long POOL_BYTES = 16 * MIB;

    private static final int LEAST_GROUPS = 4;
    private static final int MOST_GROUPS = 12;
    private static final long LIMIT_OF_A_GROUP = 32 * MIB;

    /** Shares of the memory that is left. Responses take a quarter more, for short ones. */
    private static final Map<BrokerKey, Integer> WEIGHTS =
            Map.of(BrokerKey.TAIL_BYTES, 24, BrokerKey.CACHE_BYTES, 4, BrokerKey.RESPONSE_BYTES, 8);

    private static final int SPARE_WEIGHT = 4;

    private DirectMemory() {}

    /** The number of log groups: fewer if there is little memory. */
    static int logGroups(long limitBytes) {
        return (int) Math.max(LEAST_GROUPS, Math.min(MOST_GROUPS, limitBytes / LIMIT_OF_A_GROUP));
    }

    /**
     * Values of keys that were not given and are smaller than their defaults, or depend on others.
     *
     * @param given values by key
     */
    static Map<String, String> resolve(Map<String, String> given, long limitBytes, int readThreads, int loops) {
        long left = Math.max(0, limitBytes - fixedBytes(logGroups(limitBytes), readThreads, loops));
        Map<String, String> resolved = new HashMap<>();
        left -= resolveRequests(given, left, resolved);
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
                putShare(resolved, weight.getKey(), Math.max(0, left) * weight.getValue() / (weights + SPARE_WEIGHT));
            }
        }
        return resolved;
    }

    /** Memory for all requests that are not answered yet, and for one that is compressed again. */
    private static long resolveRequests(Map<String, String> given, long left, Map<String, String> resolved) {
        BrokerKey all = BrokerKey.QUEUED_MAX_REQUEST_BYTES;
        BrokerKey one = BrokerKey.SOCKET_REQUEST_MAX_BYTES;
        long allBytes = given.containsKey(all.key()) ? number(all, given.get(all.key())) : share(all, left / 4);
        long oneBytes = given.containsKey(one.key()) ? number(one, given.get(one.key())) : share(one, allBytes / 2);
        if (!given.containsKey(all.key())) {
            allBytes = Math.max(allBytes, 2 * oneBytes);
        }
        resolved.put(all.key(), Long.toString(allBytes));
        resolved.put(one.key(), Long.toString(oneBytes));
        return allBytes + oneBytes;
    }

    private static void putShare(Map<String, String> resolved, BrokerKey key, long bytes) {
        resolved.put(key.key(), Long.toString(share(key, bytes)));
    }

    /** At most the default, at least the smallest value that is allowed. */
    private static long share(BrokerKey key, long bytes) {
        long least = key.type().min();
        return Math.max(least, Math.min(number(key, key.defaultValue()), bytes));
    }

    private static long number(BrokerKey key, String value) {
        return key.type().parse(key.key(), value);
    }

    private static long fixedBytes(int logGroups, int readThreads, int loops) {
        StoreConfig store = StoreConfig.DEFAULT;
        return logGroups * store.logGroupBytes()
                + WORK_BYTES
                + readThreads * READER_BYTES
                + loops * LOOP_BYTES
                + POOL_BYTES;
    }

    /** @throws ConfigException if the JVM has less direct memory than all terms together */
    static void require(BrokerConfig config, long limitBytes) {
        if (config.requestBytes() < 2L * config.maxRequestBytes()) {
            throw new ConfigException(
                    BrokerKey.QUEUED_MAX_REQUEST_BYTES.key(),
                    Long.toString(config.requestBytes()),
                    "at least twice socket.request.max.bytes, which is " + config.maxRequestBytes());
        }
        StoreConfig store = config.store();
        MemoryBudget budget = new MemoryBudget(limitBytes)
                .term("log groups", store.logGroups() * store.logGroupBytes())
                .term(BrokerKey.TAIL_BYTES.key(), store.tailBytes())
                .term(BrokerKey.CACHE_BYTES.key(), store.cacheBytes())
                .term("buffers of the store", WORK_BYTES)
                .term(BrokerKey.READ_THREADS.key(), config.readThreads() * READER_BYTES)
                .term(BrokerKey.NUM_NETWORK_THREADS.key(), config.networkThreads() * LOOP_BYTES)
                .term(BrokerKey.QUEUED_MAX_REQUEST_BYTES.key(), config.requestBytes())
                .term(
                        BrokerKey.SOCKET_REQUEST_MAX_BYTES.key() + " once more to compress again",
                        config.maxRequestBytes())
                .term(BrokerKey.RESPONSE_BYTES.key(), config.responseBytes())
                .term("short answers", config.shortAnswerBytes())
                .term("requests before a login", config.loginBytes())
                .term("pool", POOL_BYTES);
        try {
            budget.requireWithinLimit();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "-XX:MaxDirectMemorySize", Long.toString(limitBytes), String.valueOf(e.getMessage()));
        }
    }
}

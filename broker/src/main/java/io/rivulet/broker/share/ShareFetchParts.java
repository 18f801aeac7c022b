package io.rivulet.broker.share;

import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import java.util.function.LongSupplier;

/**
 * The parts of the broker that share fetches need. Immutable.
 *
 * @param stampMillis the time of records
 * @param nanos the monotonic clock
 * @param maxDecompressedBytes the limit for a search by time
 */
public record ShareFetchParts(
        Store store,
        int leaderEpoch,
        StableOffsets stable,
        TopicCatalogue topics,
        ReadPool readers,
        ShareGroups groups,
        ShareSessions sessions,
        ResponseMemory memory,
        LongSupplier stampMillis,
        LongSupplier nanos,
        int maxDecompressedBytes) {}

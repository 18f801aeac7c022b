package io.rivulet.broker.fetch;

import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.internal.InternalTopics;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.store.Store;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the broker that fetches need. Immutable.
 *
 * @param traffic what is counted; null if nothing is counted
 * @param nanos the monotonic clock
 */
public record FetchParts(
        Store store,
        int leaderEpoch,
        StableOffsets stable,
        InternalTopics internal,
        ReadPool readers,
        FetchSessions sessions,
        ResponseMemory memory,
        @Nullable TopicTraffic traffic,
        LongSupplier nanos) {}

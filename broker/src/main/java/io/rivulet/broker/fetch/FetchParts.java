package io.rivulet.broker.fetch;

import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.internal.InternalTopics;
import io.rivulet.store.Store;

/** The parts of the broker that fetches need. Immutable. */
public record FetchParts(
        Store store,
        StableOffsets stable,
        InternalTopics internal,
        ReadPool readers,
        FetchSessions sessions,
        ResponseMemory memory) {}

package io.rivulet.broker.api;

import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.store.Store;

/** The parts of the broker that fetches need. Immutable. */
public record FetchParts(
        Store store, StableOffsets stable, ReadPool readers, FetchSessions sessions, ResponseMemory memory) {}

package io.rivulet.broker.api;

import io.rivulet.store.Store;
import io.rivulet.store.time.StoreClock;

/** The parts of the broker that producing needs. Immutable. */
public record ProduceParts(Store store, StoreClock clock) {}

package io.rivulet.broker.api;

import io.rivulet.store.Store;
import java.util.function.LongSupplier;

/** The parts of the broker that producing needs. Immutable. */
public record ProduceParts(Store store, LongSupplier clockMillis) {}

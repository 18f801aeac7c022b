package io.rivulet.broker.api;

import io.rivulet.broker.produce.QueueListener;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.store.Store;
import java.util.function.LongSupplier;

/**
 * The parts of the broker that producing needs. Immutable.
 *
 * @param growth is told of each queue that has grown
 */
public record ProduceParts(Store store, SequenceGate sequences, QueueListener growth, LongSupplier clockMillis) {}

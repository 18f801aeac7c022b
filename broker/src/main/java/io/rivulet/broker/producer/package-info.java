/**
 * Idempotent producers: their ids, and the sequences that each queue has from each of them.
 *
 * <p>Enters: requests for an id; from the store, batches that are about to be stored and batches that are durable.
 * Leaves: unique ids; the verdict on a batch.
 *
 * <p>Threads: each class says.
 */
@NullMarked
package io.rivulet.broker.producer;

import org.jspecify.annotations.NullMarked;

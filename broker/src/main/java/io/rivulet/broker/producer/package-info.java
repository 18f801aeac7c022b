/**
 * Producers that must not store anything twice: their ids, and which sequences each queue has from each.
 *
 * <p>Enters: requests for an id; from the store, batches that are about to be stored and batches that are durable.
 * Leaves: ids that no other producer has or ever had; the verdict on a batch.
 *
 * <p>Threads: each class says.
 */
@NullMarked
package io.rivulet.broker.producer;

import org.jspecify.annotations.NullMarked;

/**
 * Compaction of a queue: the last record of each key stays.
 *
 * <p>Enters: the blocks of a queue, and the {@link io.rivulet.store.BatchFormat} of the broker, which reads batches.
 * Leaves: blocks with the same offsets, in which batches are smaller or replaced by holes.
 *
 * <p>Thread: background.
 */
@NullMarked
package io.rivulet.store.compact;

import org.jspecify.annotations.NullMarked;

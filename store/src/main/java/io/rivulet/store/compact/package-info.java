/**
 * Compaction of one queue after the other: of each key, the last record stays.
 *
 * <p>Enters: the blocks of a queue, and what the broker's {@link io.rivulet.store.BatchFormat} says of its batches. Leaves:
 * blocks with the same offsets, in which batches are smaller or have become holes.
 *
 * <p>Thread: background.
 */
@NullMarked
package io.rivulet.store.compact;

import org.jspecify.annotations.NullMarked;

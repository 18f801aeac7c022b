/**
 * The queue table: 48 bytes for each queue and one bit for those that have a chain in the tail.
 *
 * <p>Enters: creation, deletion, assigned offsets, published ends, trims; a snapshot at start. Leaves: offsets for
 * readers, the next dirty queue for the sweeper, a fuzzy snapshot for the checkpoint.
 *
 * <p>Thread: written by the log writer alone, read by any; fields are published one by one, by release and acquire.
 */
@NullMarked
package io.rivulet.store.queue;

import org.jspecify.annotations.NullMarked;

/**
 * The sweep: copies the tail to block files, cycle after cycle.
 *
 * <p>Enters: chains of the tail, in queue order. Leaves: finished block files, room in the tail, and at the end of each
 * cycle an lsn before which everything is in block files.
 *
 * <p>Thread: background; during recovery the one that opens the store.
 */
@NullMarked
package io.rivulet.store.sweep;

import org.jspecify.annotations.NullMarked;

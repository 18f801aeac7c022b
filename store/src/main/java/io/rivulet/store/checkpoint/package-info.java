/**
 * Checkpoints: the manifest and the snapshots that it names, from which a restart begins.
 *
 * <p>Enters: the list of block files, the lsn from which to replay, the state of queue table and views. Leaves: the
 * same after a restart.
 *
 * <p>Thread: background; during recovery the one that opens the store.
 */
@NullMarked
package io.rivulet.store.checkpoint;

import org.jspecify.annotations.NullMarked;

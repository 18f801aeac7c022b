/**
 * What a restart begins with: the manifest, and the snapshots that it names.
 *
 * <p>Enters: the block files there are, the lsn from which to replay, the state of queue table and views. Leaves: the same after
 * a restart.
 *
 * <p>Thread: background; during recovery the one that opens the store.
 */
@NullMarked
package io.rivulet.store.checkpoint;

import org.jspecify.annotations.NullMarked;

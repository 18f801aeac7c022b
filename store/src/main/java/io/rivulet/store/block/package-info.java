/**
 * Block files: immutable, sorted by queue, with a sparse index of one entry for each block.
 *
 * <p>In: stream bytes of queues in (queueId, baseOffset) order, from the sweep or from a merge. Out: stream records of
 * a queue from an offset on, each block's checksum verified before one of its bytes leaves.
 *
 * <p>Threads: one background thread writes, merges and publishes ({@code BlockFileWriter}, {@code BlockMerger}, the
 * mutators of {@code BlockFiles}); any thread that may wait for a disk reads ({@code BlockReader}). Files are reference
 * counted, so none is closed or deleted under a reader.
 */
@NullMarked
package io.rivulet.store.block;

import org.jspecify.annotations.NullMarked;

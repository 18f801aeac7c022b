/**
 * Record batches for the store's compaction.
 *
 * <p>Enters: stored batches. Leaves: their kind, fingerprints of their keys, batches with fewer records.
 *
 * <p>Thread: the store's background thread.
 */
@NullMarked
package io.rivulet.broker.compact;

import org.jspecify.annotations.NullMarked;

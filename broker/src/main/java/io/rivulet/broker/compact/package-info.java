/**
 * What the store's compaction asks about record batches.
 *
 * <p>Enters: batches as they were stored. Leaves: what they are, hashes of their keys, batches with fewer records.
 *
 * <p>Thread: the store's background thread.
 */
@NullMarked
package io.rivulet.broker.compact;

import org.jspecify.annotations.NullMarked;

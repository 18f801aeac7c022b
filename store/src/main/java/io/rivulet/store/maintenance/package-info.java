/**
 * The work of the background thread: sweep, checkpoint, retention, merging, compaction, and trimming the log.
 *
 * <p>Enters: signals that entries were applied or that there is no room. Leaves: block files, manifests, a shorter log.
 *
 * <p>Thread: background.
 */
@NullMarked
package io.rivulet.store.maintenance;

import org.jspecify.annotations.NullMarked;

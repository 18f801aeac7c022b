/**
 * The background thread's work: sweep, checkpoint, and trimming the log.
 *
 * <p>Enters: signals that something was applied or that there is no room. Leaves: block files, manifests, a shorter log.
 *
 * <p>Thread: background.
 */
@NullMarked
package io.rivulet.store.maintenance;

import org.jspecify.annotations.NullMarked;

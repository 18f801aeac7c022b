/**
 * Repairs a store that is not open: sets aside what is damaged, keeps or rebuilds the rest, and reports what is lost.
 *
 * <p>Enters: a directory. Leaves: a directory that a start accepts, lines for a human, and a result.
 *
 * <p>Thread: the caller's, and those of the log.
 */
@NullMarked
package io.rivulet.store.repair;

import org.jspecify.annotations.NullMarked;

/**
 * How long data is kept: limits for each retention class, and what is trimmed because of them.
 *
 * <p>Enters: limits, as entries of the log; block files; the time. Leaves: entries that say which queue is trimmed to
 * which offset, so that a replay needs no clock.
 *
 * <p>Threads: the table is the log writer's and can be read by any; all else is the background thread's.
 */
@NullMarked
package io.rivulet.store.retention;

import org.jspecify.annotations.NullMarked;

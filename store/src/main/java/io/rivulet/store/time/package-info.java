/**
 * Time: stamps of new entries, time for deletion by age, and time for timers.
 *
 * <p>Enters: the wall clock, the monotonic clock, the last stamp of the log. Leaves: times. Any thread reads them; the
 * background thread compares the clocks once a second.
 */
@NullMarked
package io.rivulet.store.time;

import org.jspecify.annotations.NullMarked;

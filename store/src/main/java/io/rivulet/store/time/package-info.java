/**
 * Time: what new entries are stamped with, what may be deleted by age, and what timers count.
 *
 * <p>Enters: the wall clock, the monotonic clock, the last stamp of the log. Leaves: times. Any thread reads them; the background
 * thread compares the clocks once a second.
 */
@NullMarked
package io.rivulet.store.time;

import org.jspecify.annotations.NullMarked;

/**
 * What all coordinators share: one thread, timers, a clock, the journal, and limits on heap. Groups, offsets and
 * transactions build on this package, and it knows none of them.
 *
 * <p>Enters: requests from event loops, over a bounded inbox; durable entries from the log writer, which run first.
 * Leaves: entries for the log, and tasks that run on the coordinator thread.
 *
 * <p>Thread: {@code groups} owns every coordinator's state. While the store opens, the opening thread replays in its
 * place.
 */
@NullMarked
package io.rivulet.broker.coordinator;

import org.jspecify.annotations.NullMarked;

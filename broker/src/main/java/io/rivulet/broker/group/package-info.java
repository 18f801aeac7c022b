/**
 * Consumer groups and their committed offsets: a view of the log, and the coordinator in front of it.
 *
 * <p>Enters: requests of the group APIs, over a bounded inbox; entries of the log, live or replayed. Leaves: answers, and entries for
 * the log.
 *
 * <p>Thread: {@code groups} owns every group, its members, timers and offsets. The log writer hands it what has become durable; before
 * it starts, the thread that opens the store replays in its place.
 */
@NullMarked
package io.rivulet.broker.group;

import org.jspecify.annotations.NullMarked;

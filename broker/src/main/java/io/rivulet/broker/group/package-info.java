/**
 * Groups and their committed offsets: the group APIs, the table of groups, and its view of the log. {@code group.base}
 * says how a kind of group is added.
 *
 * <p>Enters: requests of the group APIs; entries of the log, live or replayed. Leaves: responses, and entries for the
 * log.
 *
 * <p>Thread: the coordinator thread owns groups, members and offsets. The log writer delivers durable entries to it.
 * Until it starts, the thread that opens the store replays in its place.
 */
@NullMarked
package io.rivulet.broker.group;

import org.jspecify.annotations.NullMarked;

/**
 * Groups of the classic protocol, whose members assign partitions among themselves.
 *
 * <p>Enters: requests of members, and timers. Leaves: responses, and the group's image for the log.
 *
 * <p>Thread: the coordinator thread. The package starts no threads, so a test can run it on its own.
 */
@NullMarked
package io.rivulet.broker.group.classic;

import org.jspecify.annotations.NullMarked;

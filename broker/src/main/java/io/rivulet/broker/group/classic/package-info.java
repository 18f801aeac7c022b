/**
 * Groups whose members assign partitions among themselves: the classic protocol.
 *
 * <p>Enters: requests of members, and time. Leaves: answers, and the group's image for the log.
 *
 * <p>Thread: the coordinator thread owns it. No other is seen, so a test can run all of it in place.
 */
@NullMarked
package io.rivulet.broker.group.classic;

import org.jspecify.annotations.NullMarked;

/**
 * The members of share groups (KIP-932): they send subscriptions, and the broker assigns partitions to them. What
 * happens to records is not here.
 *
 * <p>Enters: heartbeats, changed topics, timers. Leaves: responses, and the epoch and topics of a group for the log.
 *
 * <p>Thread: the coordinator thread.
 */
@NullMarked
package io.rivulet.broker.group.share;

import org.jspecify.annotations.NullMarked;

/**
 * Groups of the consumer protocol (KIP-848): members send subscriptions, the broker computes the assignment, and each
 * member moves to its new assignment at its own pace.
 *
 * <p>Enters: heartbeats, changed topics, timers. Leaves: responses, and changes for the log.
 *
 * <p>Thread: the coordinator thread.
 */
@NullMarked
package io.rivulet.broker.group.consumer;

import org.jspecify.annotations.NullMarked;

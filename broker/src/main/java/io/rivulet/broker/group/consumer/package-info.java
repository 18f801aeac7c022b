/**
 * Groups of the consumer protocol (KIP-848): members say what they want, the broker says who gets what, and each member
 * moves from what it has to what it shall have at its own pace.
 *
 * <p>Enters: heartbeats, changed topics, the ring of an alarm. Leaves: answers, and changes for the log.
 *
 * <p>Thread: the coordinator thread owns it; the image of the log belongs to the log writer.
 */
@NullMarked
package io.rivulet.broker.group.consumer;

import org.jspecify.annotations.NullMarked;

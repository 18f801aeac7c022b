/**
 * What happens to the records of share groups: each is acquired by one member for a while, then accepted, released or
 * rejected (KIP-932).
 *
 * <p>Enters: ShareFetch and ShareAcknowledge requests; entries of the log. Leaves: acquired records; entries with the
 * results of deliveries.
 *
 * <p>Threads: any. A group has one lock, which is held for arithmetic, never during I/O. The members of a group and
 * their assignment are not here.
 */
@NullMarked
package io.rivulet.broker.share;

import org.jspecify.annotations.NullMarked;

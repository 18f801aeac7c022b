/**
 * The brokers that clients are told of, and the epoch of the one that leads.
 *
 * <p>Enters: the configuration, and in a cluster an overview of who is alive. Leaves: {@link
 * io.rivulet.broker.node.Nodes}, which answers name. This broker leads each partition and coordinates everything,
 * because others do not answer requests (docs/decisions/0061-failover.md).
 *
 * <p>Threads: all of it is thread-safe.
 */
@NullMarked
package io.rivulet.broker.node;

import org.jspecify.annotations.NullMarked;

/**
 * Who owns a shard, and which brokers are alive (docs/decisions/0061-failover.md).
 *
 * <p>In: claims and other decisions of owners. Out: the node of a shard, members, and events. Threads: an
 * implementation has its own, which call listeners.
 */
@NullMarked
package io.rivulet.cluster.registry;

import org.jspecify.annotations.NullMarked;

/**
 * The part of a process in a shard that several processes own by turns (docs/decisions/0061-failover.md).
 *
 * <p>In: who the process is. Out: calls of its {@link io.rivulet.store.shard.Tenant}.
 *
 * <p>Threads: {@code shard-N} takes the steps and tells who is there; {@code shard-N-task-M} opens or closes.
 */
@NullMarked
package io.rivulet.cluster.service;

import org.jspecify.annotations.NullMarked;

/**
 * The life of a shard in a broker, without the life of the process: who claims it, when it is opened, when it may
 * answer, when it is closed (docs/decisions/0061-failover.md).
 *
 * <p>In: the registry. Out: calls to open, serve and close. Threads: one takes all steps; any thread asks the lease.
 */
@NullMarked
package io.rivulet.cluster.shard;

import org.jspecify.annotations.NullMarked;

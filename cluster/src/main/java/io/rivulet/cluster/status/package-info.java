/**
 * What operators see of a log on other machines, without a part in it.
 *
 * <p>In: the address of a cluster. Out: a {@link io.rivulet.store.shard.ShardStatus}. Threads: the caller's.
 */
@NullMarked
package io.rivulet.cluster.status;

import org.jspecify.annotations.NullMarked;

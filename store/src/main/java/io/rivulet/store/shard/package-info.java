/**
 * A store that several processes open by turns (docs/decisions/0061-failover.md).
 *
 * <p>In: who this process is. Out: when to open the store and with which log, when to serve and when to close it, and
 * who else is there. Implemented by a module that neither store nor broker sees.
 *
 * <p>Threads: those of the implementation, as each method says.
 */
@NullMarked
package io.rivulet.store.shard;

import org.jspecify.annotations.NullMarked;

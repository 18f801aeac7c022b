/**
 * The commit log of a store as a sequence of ledgers. In: groups, from the store's log-writer. Out: as {@link
 * io.rivulet.store.log}. Why it is as it is: docs/decisions/0060-log-on-bookkeeper.md.
 *
 * <p>Threads: the log-writer appends; threads of the engine answer; {@code log-io} makes ledgers; {@code log-ledgers}
 * deletes them; any thread reads.
 */
@NullMarked
package io.rivulet.cluster.ledger;

import org.jspecify.annotations.NullMarked;

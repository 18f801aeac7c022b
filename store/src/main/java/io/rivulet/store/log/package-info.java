/**
 * The commit log: the only data that must be durable before an acknowledgement. What it is, and what every kind of log
 * is made of: groups, their bytes, their memory, and snapshots. The log in local files is in {@code log.local}.
 *
 * <p>In: groups that the log-writer thread fills and appends. Out: the watermarks {@code writtenLsn} and {@code
 * durableLsn}, single reads at a position, and the replay of everything after an lsn.
 *
 * <p>Threads: the caller's log-writer appends; any thread reads. {@link io.rivulet.store.log.CommitLog} has the
 * contract. Another module may have a log of its own: docs/decisions/0060-log-on-bookkeeper.md.
 */
@NullMarked
package io.rivulet.store.log;

import org.jspecify.annotations.NullMarked;

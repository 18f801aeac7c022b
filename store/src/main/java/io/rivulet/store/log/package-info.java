/**
 * The commit log: the only thing that must be durable before an acknowledgement.
 *
 * <p>In: groups, laid down in place and appended by the log-writer thread. Out: the watermarks {@code writtenLsn} and
 * {@code durableLsn}, single reads at a position, and the replay of everything from an lsn on.
 *
 * <p>Threads: the caller's log-writer appends; {@code log-io} writes; {@code log-force} makes durable; {@code log-segments} prepares the next
 * segment and disposes of trimmed ones; any thread reads. {@link io.rivulet.store.log.CommitLog} has the contract, {@code
 * LogOpening} says where a log ends, and docs/ON_DISK_FORMAT.md has the bytes.
 */
@NullMarked
package io.rivulet.store.log;

import org.jspecify.annotations.NullMarked;

/**
 * The commit log: the only data that must be durable before an acknowledgement.
 *
 * <p>In: groups that the log-writer thread fills and appends. Out: the watermarks {@code writtenLsn} and {@code
 * durableLsn}, single reads at a position, and the replay of everything after an lsn.
 *
 * <p>Threads: the caller's log-writer appends; {@code log-io} writes; {@code log-force} makes durable; {@code
 * log-segments} prepares the next segment and disposes of trimmed ones; any thread reads. {@link
 * io.rivulet.store.log.CommitLog} has the contract, {@code LogOpening} finds the end of a log, and
 * docs/ON_DISK_FORMAT.md has the bytes.
 */
@NullMarked
package io.rivulet.store.log;

import org.jspecify.annotations.NullMarked;

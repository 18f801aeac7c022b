/**
 * The commit log in files of one directory: segments, {@code log.state}, and snapshots.
 *
 * <p>In and out: as {@link io.rivulet.store.log}. Only this package knows that an lsn is a byte address.
 *
 * <p>Threads: the caller's log-writer appends; {@code log-io} writes; {@code log-force} makes durable; {@code
 * log-segments} prepares the next segment and disposes of trimmed ones; any thread reads. {@code LogOpening} finds the
 * end of a log, and docs/ON_DISK_FORMAT.md has the bytes.
 */
@NullMarked
package io.rivulet.store.log.local;

import org.jspecify.annotations.NullMarked;

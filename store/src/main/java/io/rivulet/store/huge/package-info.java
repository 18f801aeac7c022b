/**
 * Huge batches: those that are too large for a group of the log. Each is in a file of its own, and the log has a
 * reference to it.
 *
 * <p>Enters: requests with huge batches, before they are appended. Leaves: durable files, and their numbers and
 * checksums in the request; later the bytes of these files.
 *
 * <p>Threads: huge-writer writes and deletes files; the log writer keeps the table of files; any thread reads.
 */
@NullMarked
package io.rivulet.store.huge;

import org.jspecify.annotations.NullMarked;

/**
 * Open block files: reads records of a queue, finds its blocks, and decides which files are still needed.
 *
 * <p>Enters: a queue and an offset; new files and files to remove. Leaves: stream records, after the checksum of their
 * block was verified.
 *
 * <p>Threads: any thread that may wait for a disk reads; the background thread adds and removes files. Files are
 * reference counted, so none is closed or deleted while it is read.
 */
@NullMarked
package io.rivulet.store.block.read;

import org.jspecify.annotations.NullMarked;

/**
 * Reads records of a queue from where they are: the tail, block files, or the log.
 *
 * <p>Enters: a queue, an offset, a number of bytes. Leaves: whole batches, in offset order, to a {@link
 * io.rivulet.store.BatchSink}.
 *
 * <p>Thread: the caller's. Each reader belongs to one thread.
 */
@NullMarked
package io.rivulet.store.read;

import org.jspecify.annotations.NullMarked;

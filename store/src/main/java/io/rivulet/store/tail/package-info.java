/**
 * Recent records of each queue, off-heap, until they are in a block file: chains of 256-byte chunks.
 *
 * <p>Enters: stream records from the log writer, in offset order for each queue. Leaves: copies of them, for fetches
 * and for the sweep. A full tail is back-pressure: the log writer reserves chunks before it admits a group.
 *
 * <p>Thread: only the log writer changes it. Any thread reads optimistically: copy first, then check that the copy was
 * undisturbed. {@link io.rivulet.store.tail.Tail} has the protocol and its proof.
 */
@NullMarked
package io.rivulet.store.tail;

import org.jspecify.annotations.NullMarked;

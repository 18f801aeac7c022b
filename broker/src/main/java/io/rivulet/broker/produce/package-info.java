/**
 * The way of a produce request: each partition's batch is checked where it lies in the request's frame, the sound ones go to the
 * store as one append, and its completion makes the answer.
 *
 * <p>Enters: a decoded request and its frame. Leaves: an append that borrows the frame, then error code and offset for each
 * partition.
 *
 * <p>Thread: the event loop of the connection. Where a topic asks for another codec than the producer chose, the request is first made
 * anew on a thread for that.
 */
@NullMarked
package io.rivulet.broker.produce;

import org.jspecify.annotations.NullMarked;

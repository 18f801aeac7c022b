/**
 * The path of a produce request: each batch is checked in the request's frame, the valid ones go to the store as one append, and its
 * completion makes the answer.
 *
 * <p>Enters: a decoded request and its frame. Leaves: an append that borrows the frame, then error code and offset for each
 * partition.
 *
 * <p>Thread: the event loop of the connection. Long checks, and the compression that a topic asks for, run on threads of
 * their own.
 */
@NullMarked
package io.rivulet.broker.produce;

import org.jspecify.annotations.NullMarked;

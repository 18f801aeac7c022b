/**
 * The path of a Produce request. Each batch is checked in the request's frame. The valid batches are one append to the
 * store, and its completion makes the answer.
 *
 * <p>Enters: a decoded request and its frame. Leaves: an append that borrows the frame; then error code and offset of
 * each partition.
 *
 * <p>Thread: the event loop of the connection. Long checks and recompression run on their own threads.
 */
@NullMarked
package io.rivulet.broker.produce;

import org.jspecify.annotations.NullMarked;

package io.rivulet.store.tail;

/** How a read of the tail ended. Nothing was copied unless it says OK. */
public enum TailRead {
    /** Whole records were copied; the cursor tells which. */
    OK,
    /** The offset is below what the tail holds: look into block files. */
    BELOW_TAIL,
    /** The offset is at or above the published end. */
    NOTHING,
    /** The record with the offset has more bytes than the destination has room for: {@link TailCursor#bytes} of them. */
    TOO_SMALL,
    /** The queue does not exist, or was deleted meanwhile. */
    NO_QUEUE,
    /** Within the tail only: the writer was moving the queue's start, try again. */
    DISTURBED
}

package io.rivulet.store.tail;

/** The result of a read of the tail. Nothing is copied unless it is OK. */
public enum TailRead {
    /** Whole records are copied; the cursor says which. */
    OK,
    /** The offset is before the start of the tail: the record is in a block file. */
    BELOW_TAIL,
    /** The offset is at or above the published end. */
    NOTHING,
    /** The record with the offset needs more bytes than the destination has room for: {@link TailCursor#bytes}. */
    TOO_SMALL,
    /** The queue does not exist, or was deleted meanwhile. */
    NO_QUEUE,
    /** Within the tail only: the writer was moving the queue's start, try again. */
    DISTURBED
}

package io.rivulet.store;

/** How a read ended. */
public enum ReadStatus {
    /** At least one batch was handed on. */
    BATCHES,
    /** The offset is the queue's end: nothing there yet. */
    AT_END,
    /** The offset is below the queue's start or above its end. */
    OUT_OF_RANGE,
    /** The queue does not exist. */
    NO_QUEUE,
    /** Of a read of the tail alone: the offset is in range, and its record elsewhere. */
    NOT_IN_TAIL
}

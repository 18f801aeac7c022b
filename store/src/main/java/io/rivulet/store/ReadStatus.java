package io.rivulet.store;

/** How a read ended. */
public enum ReadStatus {
    /** The sink got at least one batch. */
    BATCHES,
    /** The offset is the end of the queue: there is nothing to read yet. */
    AT_END,
    /** The offset is before the start of the queue or after its end. */
    OUT_OF_RANGE,
    /** The queue does not exist. */
    NO_QUEUE,
    /** Only from {@link StoreReader#readTail}: the offset is in range, but its record is not in the tail. */
    NOT_IN_TAIL
}

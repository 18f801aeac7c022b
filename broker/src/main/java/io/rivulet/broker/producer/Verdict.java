package io.rivulet.broker.producer;

/** Whether a batch may be stored, by its producer's sequences. */
public enum Verdict {
    /** Comes next; or the queue knows nothing of the producer, and takes its word. */
    NEXT,
    /** Is there already: answered with the offset that it has. */
    DUPLICATE,
    /** Leaves a gap, or is an old one: OUT_OF_ORDER_SEQUENCE_NUMBER. */
    OUT_OF_ORDER,
    /** The producer has begun anew elsewhere: INVALID_PRODUCER_EPOCH. */
    FENCED
}

package io.rivulet.broker.producer;

import io.rivulet.store.GateRefusal;

/** Why the {@link SequenceGate} refuses a batch. */
public enum BatchRefusal implements GateRefusal {
    /** The sequence leaves a gap, or is an old one. */
    OUT_OF_ORDER,
    /** The producer id is in use with a newer epoch. */
    FENCED,
    /** A transactional batch of a producer without a transactional id. */
    UNKNOWN_PRODUCER,
    /** The queue was not added to the producer's transaction. */
    NOT_ADDED,
    /** The producer's transaction is being ended. */
    ENDING,
    /** A batch without a transaction, from a producer that has an open transaction in the queue. */
    NOT_TRANSACTIONAL,
    /** The marker of a coordinator that has been replaced. */
    COORDINATOR_FENCED,
    /** Transactions take too much memory. */
    TOO_MANY,
    /** Too many producers are new at the same time: to be sent again when some of their batches are durable. */
    TOO_MANY_NEW
}

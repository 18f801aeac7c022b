package io.rivulet.store;

/** The result of one batch or state change. */
public enum Outcome {
    PENDING,
    /** Written to the operating system: survives a kill, not a power cut. */
    WRITTEN,
    /** As durable as the store's durability says. */
    DURABLE,
    /** The gate knows the same batch: it is stored already, as durably as requested, and the request has its offset. */
    DUPLICATE,
    /** The gate has refused the batch; {@link AppendRequest#refusal} says why. */
    REFUSED_BY_GATE,
    /** The queue does not exist. */
    NO_QUEUE,
    /** No group holds a batch or an atomic request of this size. */
    TOO_LARGE,
    /** Not stored, because the disk is full. Works again when there is space. */
    DISK_FULL,
    /** Not stored, because the store has failed or is closed. */
    REFUSED,
    /** The log failed during the write. Whether it is stored is known when the store is opened again. */
    UNKNOWN;

    /** Whether the gate decided it, which holds only if the batches that it compared with are stored. */
    public boolean isVerdict() {
        return this == DUPLICATE || this == REFUSED_BY_GATE;
    }

    public boolean isStored() {
        return this == WRITTEN || this == DURABLE;
    }
}

package io.rivulet.store;

/** The result of one batch or state change. */
public enum Outcome {
    PENDING,
    /** Written to the operating system: survives a kill, not a power cut. */
    WRITTEN,
    /** As durable as the store's durability says. */
    DURABLE,
    /** The same batch is already stored, as durably as requested. The request gets its offset. */
    DUPLICATE,
    /** The gate has refused the batch; {@link AppendRequest#refusal} says why. */
    REFUSED_BY_GATE,
    /** The queue does not exist. */
    NO_QUEUE,
    /** The batch or the atomic request is too large for a group. */
    TOO_LARGE,
    /** Not stored, because the disk is full. Succeeds again when there is space. */
    DISK_FULL,
    /** Not stored, because the store has failed or is closed. */
    REFUSED,
    /** The log failed during the write. The next opening of the store shows whether it is stored. */
    UNKNOWN;

    /**
     * Whether the gate decided it. Such an outcome is valid only if the batches that the gate compared with are stored.
     */
    public boolean isVerdict() {
        return this == DUPLICATE || this == REFUSED_BY_GATE;
    }

    public boolean isStored() {
        return this == WRITTEN || this == DURABLE;
    }
}

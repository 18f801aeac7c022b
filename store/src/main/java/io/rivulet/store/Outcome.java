package io.rivulet.store;

/** What became of one batch or state change. */
public enum Outcome {
    PENDING,
    /** With the operating system: survives a kill, not a power cut. */
    WRITTEN,
    /** As durable as the store's durability says. */
    DURABLE,
    /** The gate knows the same batch: it was stored before, is as durable as was asked for, and its offset is told. */
    DUPLICATE,
    /** The gate has refused the batch, for a reason that it tells. */
    REFUSED_BY_GATE,
    /** The queue does not exist. */
    NO_QUEUE,
    /** No group holds a batch or an atomic request of this size. */
    TOO_LARGE,
    /** Refused, nothing of it is stored; goes through again once there is space. */
    DISK_FULL,
    /** Refused, nothing of it is stored: the store has failed before or is closed. */
    REFUSED,
    /** The log failed while it was being written: stored or not, only opening the store again tells. */
    UNKNOWN;

    /** What the gate found holds only if the batches that it was compared with are stored. */
    public boolean isVerdict() {
        return this == DUPLICATE || this == REFUSED_BY_GATE;
    }

    public boolean isStored() {
        return this == WRITTEN || this == DURABLE;
    }
}

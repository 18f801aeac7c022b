package io.rivulet.store;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a {@link BatchGate} for one batch: admitted, a duplicate, or refused. The caller passes it in and
 * reuses it, so that an answer allocates nothing.
 *
 * <p>Owned by: the caller of {@link BatchGate#check}.
 */
public final class GateVerdict {
    private static final long NO_OFFSET = -1;

    private long baseOffset = NO_OFFSET;
    private @Nullable GateRefusal refusal;

    /** The batch may be stored. */
    public void admit() {
        baseOffset = NO_OFFSET;
        refusal = null;
    }

    /** The queue already has the same batch at this offset. The request gets this offset. */
    public void duplicate(long newBaseOffset) {
        baseOffset = newBaseOffset;
        refusal = null;
    }

    public void refuse(GateRefusal newRefusal) {
        baseOffset = NO_OFFSET;
        refusal = newRefusal;
    }

    public boolean isAdmitted() {
        return refusal == null && baseOffset == NO_OFFSET;
    }

    /** Of the first copy of a duplicate; else -1. */
    public long baseOffset() {
        return baseOffset;
    }

    /** Null unless the batch is refused. */
    public @Nullable GateRefusal refusal() {
        return refusal;
    }
}

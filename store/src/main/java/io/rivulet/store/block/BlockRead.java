package io.rivulet.store.block;

/**
 * What a read gave: whole stream records side by side, without a gap between their offsets.
 *
 * <p>Immutable.
 *
 * @param outcome what the caller does next
 * @param baseOffset first offset of the first record; may lie below what was asked for, if a record spans that, and above
 *     it, if nothing is stored there any more
 * @param nextOffset where the next read begins
 * @param bytes how many were put into the target; of {@link Outcome#TOO_SMALL} how many the first record needs
 */
public record BlockRead(Outcome outcome, long baseOffset, long nextOffset, int bytes) {

    /** How a read ended. */
    public enum Outcome {
        /** There are records in the target. */
        RECORDS,
        /** No block file holds the offset or one after it: look into the tail. */
        NOTHING,
        /** The target can't take the first record. */
        TOO_SMALL
    }

    static BlockRead nothing(long offset) {
        return new BlockRead(Outcome.NOTHING, offset, offset, 0);
    }
}

package io.rivulet.store.block.read;

/**
 * The result of a read: whole stream records, side by side, without gaps between their offsets.
 *
 * <p>Immutable.
 *
 * @param outcome what the caller does next
 * @param baseOffset first offset of the first record; below the requested offset if a record spans it, above it if
 *     nothing is stored there any more
 * @param nextOffset where the next read begins
 * @param bytes how many were put into the target; with {@link Outcome#TOO_SMALL}, how many the first record needs
 */
public record BlockRead(Outcome outcome, long baseOffset, long nextOffset, int bytes) {

    /** How a read ended. */
    public enum Outcome {
        /** The target has records. */
        RECORDS,
        /** No block file holds the offset or a later one: continue in the tail. */
        NOTHING,
        /** The first record does not fit into the target. */
        TOO_SMALL
    }

    static BlockRead nothing(long offset) {
        return new BlockRead(Outcome.NOTHING, offset, offset, 0);
    }
}

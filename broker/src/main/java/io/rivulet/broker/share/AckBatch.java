package io.rivulet.broker.share;

import java.util.Arrays;
import java.util.List;

/** Acknowledges the records from the first to the last offset. Immutable. */
final class AckBatch {
    private final long firstOffset;
    private final long lastOffset;
    private final byte[] types;

    /** @param types one {@link AckType} for all, or one for each offset; not changed any more */
    AckBatch(long firstOffset, long lastOffset, byte... types) {
        this.firstOffset = firstOffset;
        this.lastOffset = lastOffset;
        this.types = types;
    }

    long firstOffset() {
        return firstOffset;
    }

    long lastOffset() {
        return lastOffset;
    }

    int typeCount() {
        return types.length;
    }

    byte typeOf(long offset) {
        return types[types.length == 1 ? 0 : (int) (offset - firstOffset)];
    }

    /** The last offset up to {@code lastWanted} so that all offsets from this one on have the same type. */
    long lastOfType(long offset, long lastWanted) {
        if (types.length == 1) {
            return lastWanted;
        }
        byte type = typeOf(offset);
        long last = offset;
        while (last < lastWanted && typeOf(last + 1) == type) {
            last++;
        }
        return last;
    }

    boolean has(byte type) {
        for (byte one : types) {
            if (one == type) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the batches of one partition are in order, without overlap, each with allowed types.
     *
     * @param highestType the highest type that the request may have
     */
    static boolean areValid(List<AckBatch> batches, byte highestType) {
        long before = -1;
        for (AckBatch batch : batches) {
            long count = batch.lastOffset - batch.firstOffset + 1;
            boolean typed = batch.types.length == 1 || batch.types.length == count;
            if (batch.firstOffset <= before || count < 1 || !typed || !batch.hasTypesTo(highestType)) {
                return false;
            }
            before = batch.lastOffset;
        }
        return true;
    }

    private boolean hasTypesTo(byte highestType) {
        for (byte type : types) {
            if (type < AckType.GAP || type > highestType) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return firstOffset + "-" + lastOffset + " " + Arrays.toString(types);
    }
}

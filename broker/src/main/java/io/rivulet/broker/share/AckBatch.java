package io.rivulet.broker.share;

import java.util.List;

/**
 * Acknowledges the records from the first to the last offset. Immutable.
 *
 * @param types one {@link AckType} for all, or one for each offset
 */
record AckBatch(long firstOffset, long lastOffset, List<Byte> types) {
    byte typeOf(long offset) {
        return types.get(types.size() == 1 ? 0 : (int) (offset - firstOffset));
    }

    /** The last offset up to {@code lastWanted} so that all offsets from this one on have the same type. */
    long lastOfType(long offset, long lastWanted) {
        if (types.size() == 1) {
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
        return types.contains(type);
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
            boolean typed = batch.types.size() == 1 || batch.types.size() == count;
            if (batch.firstOffset <= before || count < 1 || !typed) {
                return false;
            }
            for (byte type : batch.types) {
                if (type < AckType.GAP || type > highestType) {
                    return false;
                }
            }
            before = batch.lastOffset;
        }
        return true;
    }
}

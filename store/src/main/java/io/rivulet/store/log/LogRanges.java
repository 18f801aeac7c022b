package io.rivulet.store.log;

/**
 * Parts of group bodies that somebody reads, in the order in which they lie in the log, and where each was put.
 *
 * <p>Owned by: the reader.
 */
public final class LogRanges {
    private final long[] lsns;
    private final int[] bodyIndexes;
    private final int[] lengths;
    private final int[] places;
    private int count;

    public LogRanges(int capacity) {
        lsns = new long[capacity];
        bodyIndexes = new int[capacity];
        lengths = new int[capacity];
        places = new int[capacity];
    }

    public void clear() {
        count = 0;
    }

    public boolean isFull() {
        return count == lsns.length;
    }

    /** Adds {@code lengthBytes} of the body of the group at the lsn. */
    public void add(long lsn, int bodyIndex, int lengthBytes) {
        lsns[count] = lsn;
        bodyIndexes[count] = bodyIndex;
        lengths[count] = lengthBytes;
        count++;
    }

    public int count() {
        return count;
    }

    /** Where in the target it begins, once it was read. */
    public int placeOf(int range) {
        return places[range];
    }

    void put(int range, int place) {
        places[range] = place;
    }

    long lsn(int range) {
        return lsns[range];
    }

    int bodyIndex(int range) {
        return bodyIndexes[range];
    }

    int lengthBytes(int range) {
        return lengths[range];
    }

    /** As far into the log as its first byte. */
    long startLsn(int range) {
        return lsns[range] + LogGroupLayout.HEADER_BYTES + bodyIndexes[range];
    }

    long endLsn(int range) {
        return startLsn(range) + lengths[range];
    }
}

package io.rivulet.store.log;

/**
 * Parts of group bodies to read, in log order, and the place of each after the read.
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

    /** Where in the target the range begins, after it was read. */
    public int placeOf(int range) {
        return places[range];
    }

    /** For logs: the range has been read to this place. */
    public void put(int range, int place) {
        places[range] = place;
    }

    public long lsn(int range) {
        return lsns[range];
    }

    public int bodyIndex(int range) {
        return bodyIndexes[range];
    }

    public int lengthBytes(int range) {
        return lengths[range];
    }
}

package io.rivulet.cluster.ledger;

/**
 * An lsn of this log: the number of its ledger in the log, and the number of the group's first entry in the ledger.
 *
 * <pre>
 *  63       61                32                 0
 *  +--------+-----------------+------------------+
 *  | 0      | ordinal, from 1 | entry, from 0    |
 *  +--------+-----------------+------------------+
 * </pre>
 *
 * <p>The two upper bits are zero, because the store has lsns of its own with them (huge batches).
 */
final class Lsns {
    static final int FIRST_ORDINAL = 1;
    private static final int MAX_ORDINAL = (1 << 30) - 1;

    private Lsns() {}

    static long of(int ordinal, long entryId) {
        if (ordinal > MAX_ORDINAL || entryId > Integer.MAX_VALUE) {
            throw new IllegalStateException("no lsn for entry " + entryId + " of ledger " + ordinal);
        }
        return (long) ordinal << Integer.SIZE | entryId;
    }

    static int ordinal(long lsn) {
        return (int) (lsn >>> Integer.SIZE);
    }

    static long entryId(long lsn) {
        return lsn & 0xffff_ffffL;
    }
}

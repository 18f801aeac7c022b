package io.rivulet.broker.config;

/**
 * The default of a limit on state that clients make grow: a share of the heap, up to a size that is always enough. So
 * a store that was filled to all of its limits opens again with the same heap.
 *
 * <pre>
 * topics and queues       12/32   2,000,000 queues of a topic in a heap of 256 MiB, or 800,000 topics of a partition
 * groups                   4/32   3,000,000 committed offsets without metadata in a heap of 1 GiB
 * searches of groups       1/32   matching their regular expressions
 * producers                4/32   1,290,000 producers and queues in a heap of 1 GiB: one for each of a million queues
 * fetch sessions           2/32   a million partitions in a heap of 1 GiB
 * transactions             1/32
 * long requests            3/32   while they are processed
 * long responses           1/32   while they are made; a larger one is made alone
 * rules of access          1/32   some 100,000 rules in a heap of 1 GiB
 * compaction               1/32   one queue at a time; with less memory, a queue is read more often
 * share groups             1/32   a million queues in use in a heap of 1 GiB
 * all else                 1/32   the young generation, short requests
 * </pre>
 *
 * <p>Searches, requests, responses and compaction are temporary. The rest is 25/32.
 *
 * <p>Immutable.
 */
public record HeapShare(int parts, long mostBytes) {
    private static final long NO_LIMIT_MIB = Long.MAX_VALUE >> 20;
    public static final HeapShare TOPICS = of(12, NO_LIMIT_MIB);
    public static final HeapShare GROUPS = of(4, 256);
    public static final HeapShare PRODUCERS = of(4, 1024);
    public static final HeapShare FETCH_SESSIONS = of(2, 64);
    public static final HeapShare SHARE_GROUPS = of(1, 256);
    public static final HeapShare TRANSACTIONS = of(1, 128);
    public static final HeapShare ACCESS_RULES = of(1, 64);
    public static final HeapShare COMPACTION = of(1, 128);
    public static final HeapShare LONG_REQUESTS = of(3, NO_LIMIT_MIB);
    public static final HeapShare LONG_ANSWERS = of(1, NO_LIMIT_MIB);

    /** Searches may take the share of groups divided by this, in addition to that share. */
    public static final int SEARCHES_OF_GROUPS = 4;

    private static final int PARTS = 32;
    private static final long MIB = 1 << 20;

    private static HeapShare of(int parts, long mostMib) {
        return new HeapShare(parts, mostMib * MIB);
    }

    long bytes(long heapBytes) {
        return Math.min(mostBytes, Math.max(MIB, heapBytes / PARTS * parts));
    }

    /** The share of this process's heap. */
    public long bytes() {
        return bytes(Runtime.getRuntime().maxMemory());
    }

    /** For the reference of the configuration. */
    String text() {
        String share = parts + "/" + PARTS + " of the heap";
        return mostBytes >> 20 == NO_LIMIT_MIB ? share : share + ", at most " + mostBytes / MIB + " MiB";
    }
}

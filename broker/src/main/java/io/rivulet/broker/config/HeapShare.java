package io.rivulet.broker.config;

/**
 * How the heap is shared out among what clients can make grow: each of these limits has a share of it as its default, up to a most that is
 * enough for anyone. So a store that was filled to all of its limits opens again with the same heap.
 *
 * <pre>
 * topics and queues       6/16   2,000,000 queues of one topic in a heap of 256 MiB, or 800,000 topics of one partition
 * groups                  3/16
 * transactions            1/16
 * fetch sessions          1/16
 * producers               2/16   1,290,000 producers and queues in a heap of 1 GiB: one producer for each of a million queues
 * all else                3/16   the young generation, requests and responses that are at work
 * </pre>
 *
 * Immutable.
 */
record HeapShare(int sixteenths, long mostBytes) {
    private static final int PARTS = 16;
    private static final long MIB = 1 << 20;

    static HeapShare of(int sixteenths, long mostMib) {
        return new HeapShare(sixteenths, mostMib * MIB);
    }

    long bytes(long heapBytes) {
        return Math.min(mostBytes, Math.max(MIB, heapBytes / PARTS * sixteenths));
    }

    /** Of this process, as the text of a config. */
    String text() {
        return String.valueOf(bytes(Runtime.getRuntime().maxMemory()));
    }
}

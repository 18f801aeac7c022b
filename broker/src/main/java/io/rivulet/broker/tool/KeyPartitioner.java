package io.rivulet.broker.tool;

/** Chooses the partition of a key: murmur2, as in Kafka's clients. */
final class KeyPartitioner {
    private static final int SEED = 0x9747b28c;
    private static final int M = 0x5bd1e995;
    private static final int R = 24;

    private KeyPartitioner() {}

    static int partition(byte[] key, int partitions) {
        return (murmur2(key) & Integer.MAX_VALUE) % partitions;
    }

    static int murmur2(byte[] key) {
        int hash = SEED ^ key.length;
        int at = 0;
        for (; at + Integer.BYTES <= key.length; at += Integer.BYTES) {
            int k = (key[at] & 0xff) | (key[at + 1] & 0xff) << 8 | (key[at + 2] & 0xff) << 16 | key[at + 3] << 24;
            k *= M;
            k ^= k >>> R;
            hash = (hash * M) ^ (k * M);
        }
        if (at < key.length) {
            for (int i = key.length - 1; i >= at; i--) {
                hash ^= (key[i] & 0xff) << (8 * (i - at));
            }
            hash *= M;
        }
        hash ^= hash >>> 13;
        hash *= M;
        return hash ^ (hash >>> 15);
    }
}

package io.rivulet.bench.protocol;

import java.util.SplittableRandom;

/** What every benchmark here sends: 500 partitions in 10 topics, in each a batch of one tiny record: 72 bytes. */
final class Load {
    static final int TOPICS = 10;
    static final int PARTITIONS_PER_TOPIC = 50;
    static final int RECORDS_BYTES = 72;

    private Load() {}

    static byte[] records() {
        byte[] bytes = new byte[RECORDS_BYTES];
        new SplittableRandom(41).nextBytes(bytes);
        return bytes;
    }

    static String topic(int index) {
        return "orders-by-customer-" + index;
    }
}

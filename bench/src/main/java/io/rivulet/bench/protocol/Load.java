package io.rivulet.bench.protocol;

import java.util.SplittableRandom;

/** What every benchmark here sends: 500 partitions in 10 topics. */
final class Load {
    static final int TOPICS = 10;
    static final int PARTITIONS_PER_TOPIC = 50;

    private Load() {}

    static byte[] records(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(41).nextBytes(bytes);
        return bytes;
    }

    static String topic(int index) {
        return "orders-by-customer-" + index;
    }
}

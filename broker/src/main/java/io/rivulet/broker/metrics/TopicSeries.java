package io.rivulet.broker.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/** The counters of one topic, or of all topics without a series of their own. Thread-safe. */
final class TopicSeries {
    /** In place of a name: the topics without a series of their own. No topic can have this name. */
    static final String OTHER = "(other)";

    static final int MESSAGES_IN = 0;
    static final int BYTES_IN = 1;
    static final int BYTES_OUT = 2;
    static final int PRODUCE_REQUESTS = 3;
    static final int FETCH_REQUESTS = 4;
    static final int FAILED_PRODUCE_REQUESTS = 5;
    static final int FAILED_FETCH_REQUESTS = 6;
    static final int COUNTERS = 7;

    private final int firstQueueId;
    private final String name;
    private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

    TopicSeries(int firstQueueId, String name) {
        this.firstQueueId = firstQueueId;
        this.name = name;
    }

    int firstQueueId() {
        return firstQueueId;
    }

    String name() {
        return name;
    }

    void add(int counter, long increase) {
        counters.getAndAdd(counter, increase);
    }

    long get(int counter) {
        return counters.get(counter);
    }

    void addTo(long[] sums) {
        for (int i = 0; i < COUNTERS; i++) {
            sums[i] += get(i);
        }
    }
}

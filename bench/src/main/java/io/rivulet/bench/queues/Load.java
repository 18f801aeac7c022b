package io.rivulet.bench.queues;

/**
 * What is put into a store, and how. Immutable.
 *
 * @param producers threads, each with its share of the queues
 * @param requestsInFlight of each producer
 */
record Load(int queues, Messages messages, int producers, int messagesPerRequest, int requestsInFlight) {
    /** Of a buffer that the messages of one request lie in. */
    int requestBytes() {
        return messagesPerRequest * Math.max(messages.bytes(), 64) + messages.maxBytes();
    }
}

package io.rivulet.bench.queues;

/**
 * A load on a store. Immutable.
 *
 * @param producers threads, each with a share of the queues
 * @param requestsInFlight of each producer
 */
record StoreLoad(int queues, Messages messages, int producers, int messagesPerRequest, int requestsInFlight) {
    /** Size of the buffer of one request. */
    int requestBytes() {
        return messagesPerRequest * Math.max(messages.bytes(), 64) + messages.maxBytes();
    }
}

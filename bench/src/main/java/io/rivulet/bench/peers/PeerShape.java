package io.rivulet.bench.peers;

/**
 * The queues of a run and how many messages are in flight. Immutable.
 *
 * @param window messages that are sent and not acknowledged
 */
record PeerShape(int queues, int window) {
    static final int VALUE_BYTES = 58;

    /** Requests in flight of a system whose requests hold many messages. */
    private static final int REQUESTS = 5;

    /** Messages in a request of such a system: a divisor of the number of queues, or any number to one queue. */
    int messagesPerRequest() {
        int most = Math.max(1, window / REQUESTS);
        if (queues == 1) {
            return most;
        }
        int messages = Math.min(most, queues);
        while (queues % messages != 0) {
            messages--;
        }
        return messages;
    }
}

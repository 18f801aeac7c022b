package io.rivulet.bench.peers;

/**
 * How long a run takes. Immutable.
 *
 * @param window messages in flight
 * @param fillSeconds after which no more queues are waited for
 * @param memoryMib anonymous memory at which a server is ended
 */
record PeerPlan(int window, int warmUpSeconds, int seconds, int fillSeconds, int memoryMib) {}

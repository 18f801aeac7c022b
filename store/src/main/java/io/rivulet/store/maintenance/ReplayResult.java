package io.rivulet.store.maintenance;

/**
 * What the replay at the start has read. Immutable.
 *
 * @param firstTimestamp of the first group; without groups the time of the start
 * @param nanos how long the replay took
 */
public record ReplayResult(long bytes, long firstTimestamp, long nanos) {}

package io.rivulet.store.maintenance;

/**
 * What an opening has replayed. Immutable.
 *
 * @param firstTimestamp of the first group; when there was none, of the opening
 * @param nanos that it took
 */
public record ReplayResult(long bytes, long firstTimestamp, long nanos) {}

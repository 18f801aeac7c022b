package io.rivulet.store.upkeep;

/**
 * What an opening has replayed. Immutable.
 *
 * @param firstTimestamp of the first group; when there was none, of the opening
 * @param nanos that it took
 */
public record ReplayedLog(long bytes, long firstTimestamp, long nanos) {}

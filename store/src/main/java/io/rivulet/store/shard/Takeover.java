package io.rivulet.store.shard;

/**
 * How long the steps of a takeover took, until the shard was served. Immutable.
 *
 * @param claimNanos from when this process saw that nobody alive owns the shard, until it owned it
 * @param fenceNanos until no earlier owner could append
 * @param loadNanos until the store was open
 * @param waitNanos until no earlier owner could answer from state
 */
public record Takeover(long claimNanos, long fenceNanos, long loadNanos, long waitNanos) {}

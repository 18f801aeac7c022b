package io.rivulet.store.shard;

/**
 * A process that may own the shard. Immutable.
 *
 * @param endpoints how clients reach it: {@code NAME://host:port} for each listener, separated by commas
 */
public record Peer(int id, String endpoints) {}

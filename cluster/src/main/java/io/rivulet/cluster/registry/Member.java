package io.rivulet.cluster.registry;

/**
 * A broker that is alive, as far as the registry knows. Immutable.
 *
 * @param endpoints how clients reach it: {@code NAME://host:port} for each listener, separated by commas
 */
public record Member(Incarnation who, String endpoints) {}

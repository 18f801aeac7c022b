package io.rivulet.cluster.registry;

/**
 * One life of a broker. Immutable.
 *
 * @param brokerId its {@code node.id}
 * @param number drawn when the process starts, so that a broker is not taken for its predecessor
 */
public record Incarnation(int brokerId, long number) {}

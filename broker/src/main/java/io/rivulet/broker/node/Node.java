package io.rivulet.broker.node;

import org.jspecify.annotations.Nullable;

/**
 * A broker, as a client reaches it. Immutable.
 *
 * @param rack null if it has none, or if it is not known
 */
public record Node(int id, String host, int port, @Nullable String rack) {}

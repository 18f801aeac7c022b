package io.rivulet.broker.api;

/** Who this broker is to its clients. It is the only node, and the controller. Immutable. */
public record BrokerIdentity(String clusterId, int nodeId) {}

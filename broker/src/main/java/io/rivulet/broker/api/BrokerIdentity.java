package io.rivulet.broker.api;

/** Who this broker is to its clients. It is the only node, and the controller. Immutable. */
public record BrokerIdentity(String clusterId, int nodeId) {
    /** There is one leader for ever, so its epoch never moves. */
    static final int LEADER_EPOCH = 0;
}

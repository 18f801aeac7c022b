package io.rivulet.broker.api;

import io.rivulet.broker.config.ReplicationFactors;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.node.Nodes;
import java.util.Arrays;

/**
 * Refuses replication factors and assignments that the brokers can't serve. No topic keeps those that it asks for.
 * Stateless.
 */
public final class Replication {
    private static final int DEFAULT = -1;

    private Replication() {}

    /** @param wanted -1 for the default */
    public static void require(ApiParts parts, int wanted) {
        ReplicationFactors allowed = parts.config().replication();
        int factor = wanted == DEFAULT ? allowed.byDefault() : wanted;
        int brokers = parts.nodes().count();
        if (allowed.allow(factor, brokers)) {
            return;
        }
        boolean alone = brokers == 1;
        throw new RefusedException(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                factor < 1
                        ? "the replication factor must be " + (alone ? "1" : "1 to " + brokers)
                                + ", or -1 for the default"
                        : shortage(factor, brokers) + "; with rivulet.replication.factor.max=accept, "
                                + (alone ? "the topic gets one replica" : "it has no effect"));
    }

    /** Why there can't be as many replicas. */
    public static String shortage(int factor, int brokers) {
        return "the replication factor is " + factor + ", but there "
                + (brokers == 1 ? "is only 1 broker" : "are only " + brokers + " brokers");
    }

    /** @param brokers of one partition */
    public static void requireAssignable(Nodes nodes, int... brokers) {
        boolean distinct = Arrays.stream(brokers).distinct().count() == brokers.length;
        if (brokers.length == 0 || !distinct || !Arrays.stream(brokers).allMatch(nodes::isAlive)) {
            throw new RefusedException(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    nodes.count() == 1
                            ? "each partition is assigned to broker " + nodes.selfId() + " alone"
                            : "each partition is assigned to brokers that are alive, to none of them twice");
        }
    }
}

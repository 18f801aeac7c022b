package io.rivulet.broker.node;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.store.shard.Overview;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The brokers that are alive, this one included. They may be others a moment later. Thread-safe. */
public interface Nodes {
    /** The leader of each partition. */
    int selfId();

    LeaderEpochs epochs();

    /** In their order. Must not be changed. */
    int[] ids();

    default int count() {
        return ids().length;
    }

    default boolean isAlive(int id) {
        return Arrays.binarySearch(ids(), id) >= 0;
    }

    /** Whether a client that expects the broker may be served here. */
    boolean answersFor(int id);

    /** By id, with their endpoints for the listener of the connection. Those without one are left out. */
    List<Node> reachableFrom(Call.Origin origin);

    /** Of each partition: this broker first, then those with the next ids. All are in sync. Must not be changed. */
    int[] replicas();

    /** This broker alone. */
    static Nodes single(BrokerConfig config) {
        return new SingleNode(config.nodeId(), rack(config));
    }

    /**
     * The brokers that may own a shard.
     *
     * @param overview may be behind, and then lack this broker
     * @param epoch counts the owners
     */
    static Nodes cluster(BrokerConfig config, Supplier<Overview> overview, int epoch) {
        return new ClusterNodes(
                config.nodeId(),
                rack(config),
                overview,
                epoch,
                config.replication().byDefault());
    }

    private static @Nullable String rack(BrokerConfig config) {
        String rack = config.values().text(BrokerKey.BROKER_RACK);
        return rack.isEmpty() ? null : rack;
    }
}

package io.rivulet.broker.node;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.config.HostPort;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The brokers that may own a shard, as its owner sees them. It is among them, whatever the overview says: who answers
 * is alive. Thread-safe.
 */
final class ClusterNodes implements Nodes {
    private final int id;
    private final @Nullable String rack;
    private final Supplier<Overview> overview;
    private final LeaderEpochs epochs;
    private final int replicationFactor;
    /** Of the overview that was seen last. */
    private volatile Members members;

    ClusterNodes(int id, @Nullable String rack, Supplier<Overview> overview, int epoch, int replicationFactor) {
        this.id = id;
        this.rack = rack;
        this.overview = overview;
        this.epochs = new LeaderEpochs(epoch);
        this.replicationFactor = replicationFactor;
        this.members = members(overview.get());
    }

    /** What an overview says. Immutable; the arrays are not changed. */
    private static final class Members {
        final Overview of;
        final SortedMap<Integer, Endpoints> byId;
        final int[] ids;
        final int[] replicas;

        Members(Overview of, SortedMap<Integer, Endpoints> byId, int[] ids, int[] replicas) {
            this.of = of;
            this.byId = byId;
            this.ids = ids;
            this.replicas = replicas;
        }
    }

    private Members members() {
        Overview now = overview.get();
        Members known = members;
        if (!known.of.equals(now)) {
            known = members(now);
            members = known;
        }
        return known;
    }

    private Members members(Overview now) {
        SortedMap<Integer, Endpoints> byId = new TreeMap<>();
        for (Peer peer : now.peers()) {
            byId.putIfAbsent(peer.id(), Endpoints.parse(peer.endpoints()));
        }
        byId.putIfAbsent(id, new Endpoints(Map.of()));
        int[] ids = byId.keySet().stream().mapToInt(Integer::intValue).toArray();
        int self = Arrays.binarySearch(ids, id);
        int[] replicas = new int[Math.max(1, Math.min(ids.length, replicationFactor))];
        Arrays.setAll(replicas, i -> ids[(self + i) % ids.length]);
        return new Members(now, byId, ids, replicas);
    }

    @Override
    public int selfId() {
        return id;
    }

    @Override
    public LeaderEpochs epochs() {
        return epochs;
    }

    @Override
    public int[] ids() {
        return members().ids;
    }

    /** Each broker relays to this one, also before it is a member. */
    @Override
    public boolean answersFor(int other) {
        return true;
    }

    @Override
    public List<Node> reachableFrom(Call.Origin origin) {
        String listener = origin.listenerName();
        List<Node> nodes = new ArrayList<>();
        members().byId.forEach((broker, endpoints) -> {
            HostPort endpoint = endpoints.of(listener);
            if (broker == id) {
                Call.Endpoint own = origin.advertised();
                nodes.add(new Node(id, own.host(), own.port(), rack));
            } else if (endpoint != null) {
                nodes.add(new Node(broker, endpoint.host(), endpoint.port(), null));
            }
        });
        return nodes;
    }

    @Override
    public int[] replicas() {
        return members().replicas;
    }
}

package io.rivulet.broker.node;

import io.rivulet.broker.call.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A broker without others. Its epoch never changes. Immutable. */
final class SingleNode implements Nodes {
    private static final LeaderEpochs EPOCHS = new LeaderEpochs(0);

    private final int id;
    private final @Nullable String rack;
    private final int[] ids;

    SingleNode(int id, @Nullable String rack) {
        this.id = id;
        this.rack = rack;
        this.ids = new int[] {id};
    }

    @Override
    public int selfId() {
        return id;
    }

    @Override
    public LeaderEpochs epochs() {
        return EPOCHS;
    }

    @Override
    public int[] ids() {
        return ids;
    }

    @Override
    public boolean answersFor(int other) {
        return other == id;
    }

    @Override
    public List<Node> reachableFrom(Call.Origin origin) {
        Call.Endpoint endpoint = origin.advertised();
        return List.of(new Node(id, endpoint.host(), endpoint.port(), rack));
    }

    @Override
    public int[] replicas() {
        return ids;
    }
}

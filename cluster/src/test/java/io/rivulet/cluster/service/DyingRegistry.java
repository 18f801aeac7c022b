package io.rivulet.cluster.service;

import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client that may lose its session, and never gets another one. */
final class DyingRegistry implements Registry {
    private final Registry registry;
    private volatile boolean isDead;

    DyingRegistry(Registry registry) {
        this.registry = registry;
    }

    /** Nobody waits for the end of its session. */
    void die() throws IOException {
        isDead = true;
        registry.close();
    }

    private Registry living() throws IOException {
        if (isDead) {
            throw new IOException("the session has ended");
        }
        return registry;
    }

    @Override
    public @Nullable Versioned load(int shard) throws IOException {
        return living().load(shard);
    }

    @Override
    public int swap(int shard, @Nullable Versioned state, ShardNode node) throws IOException {
        return living().swap(shard, state, node);
    }

    @Override
    public boolean confirm(int shard, @Nullable Versioned state) throws IOException {
        return living().confirm(shard, state);
    }

    @Override
    public boolean join(Member self) throws IOException {
        return living().join(self);
    }

    @Override
    public List<Member> members() throws IOException {
        return living().members();
    }

    @Override
    public void listen(Consumer<Event> listener) {
        registry.listen(listener);
    }

    @Override
    public void close() throws IOException {
        registry.close();
    }
}

package io.rivulet.cluster.service;

import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.FakeRegistryClient;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of the registry in memory, for several threads. */
final class LockedRegistry implements Registry {
    private final FakeRegistry registry;
    final FakeRegistryClient client;
    /** Thrown by whatever asks for members. */
    volatile @Nullable Error failure;

    volatile boolean isClosed;

    LockedRegistry(FakeRegistry registry) {
        this.registry = registry;
        synchronized (registry) {
            this.client = registry.client();
        }
    }

    @Override
    public @Nullable Versioned load(int shard) throws IOException {
        synchronized (registry) {
            return client.load(shard);
        }
    }

    @Override
    public int swap(int shard, @Nullable Versioned state, ShardNode node) throws IOException {
        synchronized (registry) {
            return client.swap(shard, state, node);
        }
    }

    @Override
    public boolean confirm(int shard, @Nullable Versioned state) throws IOException {
        synchronized (registry) {
            return client.confirm(shard, state);
        }
    }

    @Override
    public boolean join(Member self) throws IOException {
        synchronized (registry) {
            return client.join(self);
        }
    }

    @Override
    public List<Member> members() throws IOException {
        Error thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        synchronized (registry) {
            return client.members();
        }
    }

    @Override
    public void listen(Consumer<Event> listener) {
        synchronized (registry) {
            client.listen(listener);
        }
    }

    @Override
    public void close() {
        synchronized (registry) {
            client.close();
        }
        isClosed = true;
    }
}

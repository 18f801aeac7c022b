package io.rivulet.cluster.service;

import io.rivulet.cluster.bookkeeper.BookKeeperEngine;
import io.rivulet.cluster.bookkeeper.ClusterAddress;
import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.shard.ShardTimes;
import io.rivulet.cluster.status.StatusReader;
import io.rivulet.cluster.zookeeper.ZooKeeperRegistry;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardService;
import io.rivulet.store.shard.ShardStatus;
import io.rivulet.store.shard.Tenant;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/** Shards whose logs are on BookKeeper, for brokers. There is one shard, number 0. Immutable. */
public final class BookKeeperShards implements ShardService {
    private static final int SHARD = 0;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Ledgers ledgers;

    /** Connects to the machines that have the ledgers. */
    @FunctionalInterface
    interface Ledgers {
        Engine connect(String servers, String name) throws IOException;
    }

    public BookKeeperShards() {
        this(BookKeeperEngine::new);
    }

    /** Tests plant bugs here. */
    BookKeeperShards(Ledgers ledgers) {
        this.ledgers = ledgers;
    }

    /** @param address see {@link ClusterAddress} */
    @Override
    public Membership join(String address, Peer self, int sessionMillis, Tenant tenant) throws IOException {
        ClusterAddress parts = ClusterAddress.of(address);
        Incarnation who = new Incarnation(self.id(), new SecureRandom().nextLong());
        Registry registry = new ZooKeeperRegistry(parts.servers(), parts.name(), sessionMillis);
        TenantOpener opener = new TenantOpener(
                registry, SHARD, tenant, address, parts.name(), () -> ledgers.connect(parts.servers(), parts.name()));
        Participation participation = new Participation(
                registry, SHARD, new Member(who, self.endpoints()), tenant, opener, ShardTimes.DEFAULT, PATIENCE_NANOS);
        participation.start();
        return participation;
    }

    @Override
    public ShardStatus status(String address, boolean withOrphans) throws IOException {
        return StatusReader.read(address, withOrphans);
    }
}

package io.rivulet.cluster.service;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.shard.ShardTimes;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Takeover;
import io.rivulet.store.shard.Tenant;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A process that opens nothing, and does in its openings what a test says. */
final class TestTenant implements Tenant, Tenure {
    /** What happens in an opening. */
    interface Work {
        void with(Claim claim) throws IOException;
    }

    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    final LockedRegistry registry;
    final Participation participation;
    final List<Overview> overviews = new CopyOnWriteArrayList<>();
    final AtomicInteger openings = new AtomicInteger();
    final AtomicInteger serves = new AtomicInteger();
    final AtomicInteger closings = new AtomicInteger();
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger disconnections = new AtomicInteger();
    volatile Work opening = claim -> {};
    volatile Runnable telling = () -> {};
    volatile Runnable closing = () -> {};
    volatile boolean hasFailed;
    volatile @Nullable Claim claim;
    volatile @Nullable Takeover takeover;

    TestTenant(FakeRegistry registry, FakeEngine engine, int shard, int id, ShardTimes times) {
        this.registry = new LockedRegistry(registry);
        this.participation = new Participation(
                this.registry,
                shard,
                new Member(new Incarnation(id, id), endpoints(id)),
                this,
                new TenantOpener(this.registry, shard, this, "memory", "log", () -> connect(engine)),
                times,
                PATIENCE_NANOS);
    }

    private Engine connect(FakeEngine engine) {
        connections.incrementAndGet();
        return new ForwardingEngine(engine.client()) {
            @Override
            public void close() {
                disconnections.incrementAndGet();
            }
        };
    }

    static String endpoints(int id) {
        return "PLAINTEXT://broker-" + id + ":9092";
    }

    boolean isServing() {
        return serves.get() > closings.get();
    }

    @Nullable
    Overview overview() {
        return overviews.isEmpty() ? null : overviews.get(overviews.size() - 1);
    }

    @Override
    public Tenure open(Claim ofShard) throws IOException {
        openings.incrementAndGet();
        claim = ofShard;
        opening.with(ofShard);
        return this;
    }

    @Override
    public void changed(Overview now) {
        telling.run();
        overviews.add(now);
    }

    @Override
    public void serve(Takeover steps) {
        takeover = steps;
        serves.incrementAndGet();
    }

    @Override
    public boolean hasFailed() {
        return hasFailed;
    }

    /** Of the tenure. */
    @Override
    public void close() {
        closing.run();
        closings.incrementAndGet();
    }
}

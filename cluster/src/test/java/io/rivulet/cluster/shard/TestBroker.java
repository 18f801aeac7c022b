package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.FakeRegistryClient;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.shard.Takeover;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A host whose openings and closings run when a test says so, and do what it says. */
final class TestBroker implements ShardOpener, Tenure, Executor {
    /** What happens in an opening. */
    interface Work {
        void with(Progress progress) throws IOException;
    }

    final FakeRegistryClient client;
    final ShardHost host;
    final Queue<Runnable> tasks = new ArrayDeque<>();
    Work opening = progress -> {};
    Runnable serving = () -> {};
    Runnable closing = () -> {};
    /** Thrown wherever a step asks the clock. */
    @Nullable
    RuntimeException clockFailure;

    boolean hasNoThreads;
    boolean hasFailed;
    int opened;
    int served;
    int closed;

    @Nullable
    Lease lease;

    @Nullable
    Takeover takeover;

    TestBroker(FakeRegistry registry, int shard, int id, LongSupplier clockNanos) {
        this.client = registry.client();
        Incarnation who = new Incarnation(id, id);
        this.host = new ShardHost(
                client, shard, new Member(who, "PLAINTEXT://broker:9092"), this, this, ShardTimes.DEFAULT, () -> {
                    RuntimeException failure = clockFailure;
                    if (failure != null) {
                        throw failure;
                    }
                    return clockNanos.getAsLong();
                });
    }

    /** Runs what the executor has. */
    void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Override
    public void execute(Runnable task) {
        if (hasNoThreads) {
            throw new OutOfMemoryError("unable to create a thread");
        }
        tasks.add(task);
    }

    @Override
    public Tenure open(ShardNode claim, Lease ofClaim, Progress progress) throws IOException {
        opened++;
        lease = ofClaim;
        opening.with(progress);
        return this;
    }

    @Override
    public void serve(Takeover steps) {
        served++;
        takeover = steps;
        serving.run();
    }

    @Override
    public boolean hasFailed() {
        return hasFailed;
    }

    @Override
    public void close() {
        closed++;
        closing.run();
    }
}

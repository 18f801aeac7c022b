package io.rivulet.cluster.service;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.ReadBack;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Takeover;
import io.rivulet.store.shard.Tenant;
import io.rivulet.store.shard.Tenure;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process with a directory of its own, which opens a store with one queue. */
final class StoreTenant implements Tenant {
    private static final int QUEUE = 0;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final long PATIENCE_SECONDS = 60;

    private final CrashDisk disk = new CrashDisk();
    volatile @Nullable Opened opened;
    volatile boolean isServing;
    volatile @Nullable Overview overview;

    /** A tenure. */
    record Opened(LocalStore store, FailureLatch failures, Claim claim) {}

    Opened opened() {
        return Objects.requireNonNull(opened);
    }

    @Override
    public Tenure open(Claim claim) throws IOException {
        FailureLatch failures = new FailureLatch();
        StoreEnvironment local = new StoreEnvironment(disk, Workers.threads(failures), StoreClock.system(0), failures);
        LocalStore store = LocalStore.open(
                StoreConfig.DEFAULT.withMemory(BUFFER_BYTES, BUFFER_BYTES), local.withLog(claim.log(disk)));
        opened = new Opened(store, failures, claim);
        return new Tenure() {
            @Override
            public void serve(Takeover steps) {
                isServing = true;
            }

            @Override
            public boolean hasFailed() {
                return failures.isSet();
            }

            @Override
            public void close() throws IOException {
                isServing = false;
                store.close();
            }
        };
    }

    @Override
    public void changed(Overview now) {
        overview = now;
    }

    void createQueue() throws Exception {
        get(opened().store.createQueues(1, 0).toCompletableFuture());
    }

    /** Whether it was acknowledged. */
    boolean append(byte[] bytes) throws Exception {
        CompletableFuture<AppendRequest> done = new CompletableFuture<>();
        ByteBuffer source = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        AppendRequest request =
                new AppendRequest(source, Wait.DURABLE, done::complete).add(QUEUE, 0, bytes.length, 1, 1);
        return opened().store.append(request) && get(done).outcome(0).isStored();
    }

    List<byte[]> readAll() throws IOException {
        return ReadBack.all(opened().store.reader(), QUEUE);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}

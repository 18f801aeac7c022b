package io.rivulet.cluster.fake;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.Ledger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One process that uses the engine. When it has died it gets no answers; what it has sent still arrives. */
public final class FakeClient implements Engine {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_MILLIS = 10;

    private final FakeEngine engine;
    private volatile boolean dead;
    private Runnable duringCall = () -> {};
    private @Nullable BooleanSupplier otherWork;
    private int swaps;
    private @Nullable FakeLedger written;

    FakeClient(FakeEngine engine) {
        this.engine = engine;
    }

    public void die() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    /** What happens in this process while it waits for an answer to a call. */
    public void duringCalls(Runnable action) {
        duringCall = action;
    }

    /** What must run in this process so that all appends can be answered; false if there was nothing. */
    public void otherWork(BooleanSupplier action) {
        otherWork = action;
    }

    /** How many records it has replaced. */
    public int swaps() {
        return swaps;
    }

    /** The ledger that this client writes from now on. */
    FakeLedger writes(FakeLedger ledger) {
        written = ledger;
        return ledger;
    }

    void acknowledgeAll() {
        if (written != null) {
            written.acknowledgeAll();
        }
    }

    @Override
    public long reserve() throws IOException {
        return call(engine::reserve);
    }

    @Override
    public Ledger create(long id) throws IOException {
        return call(() -> engine.create(this, id));
    }

    @Override
    public Ledger recover(long id) throws IOException {
        return call(() -> engine.recover(this, id));
    }

    @Override
    public void delete(long id) throws IOException {
        call(() -> {
            engine.delete(id);
            return id;
        });
    }

    @Override
    public @Nullable Versioned load(String name) throws IOException {
        engine.duringCall(duringCall);
        Versioned loaded = engine.load(name);
        engine.duringCall(duringCall);
        return loaded;
    }

    @Override
    public int swap(String name, @Nullable Versioned state, ByteBuffer bytes) throws IOException {
        return call(() -> {
            int swapped = engine.swap(name, state, bytes);
            swaps += swapped == NO_VERSION ? 0 : 1;
            return swapped;
        });
    }

    private interface Call<T> {
        T call() throws IOException;
    }

    private <T> T call(Call<T> call) throws IOException {
        engine.duringCall(duringCall);
        T answer = call.call();
        engine.duringCall(duringCall);
        return answer;
    }

    @Override
    public void await(Object monitor, BooleanSupplier done, LongSupplier progress, BooleanSupplier limited)
            throws IOException {
        BooleanSupplier here = otherWork;
        if (here != null) {
            engine.deliverUntil(done, here);
            return;
        }
        long start = System.nanoTime();
        synchronized (monitor) {
            while (!done.getAsBoolean()) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw new IOException("no answer comes");
                }
                try {
                    monitor.wait(PAUSE_MILLIS);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }
    }
}

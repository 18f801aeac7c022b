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
    public Ledger create() throws IOException {
        return engine.create(this);
    }

    @Override
    public Ledger recover(long id) throws IOException {
        return engine.recover(this, id);
    }

    @Override
    public void delete(long id) {
        engine.delete(id);
    }

    @Override
    public @Nullable Versioned load(String name) {
        return engine.load(name);
    }

    @Override
    public int swap(String name, int version, ByteBuffer bytes) {
        return engine.swap(name, version, bytes);
    }

    @Override
    public void await(Object monitor, BooleanSupplier done, LongSupplier progress) throws IOException {
        if (!engine.isEager()) {
            engine.deliverUntil(done);
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

package io.rivulet.cluster.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Passes each call on, for engines that change some of them. Thread-safe if the other engine is. */
public class ForwardingEngine implements Engine {
    private final Engine engine;

    public ForwardingEngine(Engine engine) {
        this.engine = engine;
    }

    @Override
    public long reserve() throws IOException {
        return engine.reserve();
    }

    @Override
    public Ledger create(long id) throws IOException {
        return engine.create(id);
    }

    @Override
    public Ledger recover(long id) throws IOException {
        return engine.recover(id);
    }

    @Override
    public void delete(long id) throws IOException {
        engine.delete(id);
    }

    @Override
    public @Nullable Versioned load(String name) throws IOException {
        return engine.load(name);
    }

    @Override
    public int swap(String name, @Nullable Versioned state, ByteBuffer bytes) throws IOException {
        return engine.swap(name, state, bytes);
    }

    @Override
    public void await(Object monitor, BooleanSupplier done, LongSupplier progress, BooleanSupplier limited)
            throws IOException {
        engine.await(monitor, done, progress, limited);
    }

    @Override
    public void close() throws IOException {
        engine.close();
    }
}

package io.rivulet.store.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The right to read one cached page until it is closed. Must be closed exactly once, by any thread, on success and on
 * failure; a second close throws, and {@link PageCache#openLeases} counts forgotten leases.
 */
public final class ReadLease implements AutoCloseable {
    private static final VarHandle CLOSED;

    static {
        try {
            CLOSED = MethodHandles.lookup().findVarHandle(ReadLease.class, "closed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CachedPage page;
    private final CacheMeter meter;

    @SuppressWarnings("UnusedVariable") // written through CLOSED
    private volatile boolean closed;

    /** Takes over a pin that the caller holds. */
    ReadLease(CachedPage page, CacheMeter meter) {
        this.page = page;
        this.meter = meter;
        meter.leaseOpened();
    }

    /** The page's bytes, read-only, as a buffer of the caller's own. Not to be touched after the close. */
    public ByteBuffer bytes() {
        if (closed) {
            throw new IllegalStateException("the lease is closed");
        }
        return page.memory().asReadOnlyBuffer();
    }

    @Override
    public void close() {
        if (!CLOSED.compareAndSet(this, false, true)) {
            throw new IllegalStateException("the lease is closed twice");
        }
        meter.leaseClosed();
        page.unpin();
    }
}

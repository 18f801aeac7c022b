package io.rivulet.broker.produce;

import io.rivulet.broker.config.SpaceLimit;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the disk has less space than producers must leave free. Produce requests ask; at most once a second, the
 * question is passed on to the file system, on another thread, because it may take long. Thread-safe.
 */
final class DiskHeadroom {
    private static final Logger LOG = LoggerFactory.getLogger(DiskHeadroom.class);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The space of a file system, in bytes. */
    interface Space {
        long usable();

        long total();
    }

    private final SpaceLimit limit;
    private final Space space;
    private final Executor reader;
    private final LongSupplier clockNanos;
    private final AtomicLong nextNanos;
    private volatile boolean isShort;

    DiskHeadroom(SpaceLimit limit, Space space, Executor reader, LongSupplier clockNanos) {
        this.limit = limit;
        this.space = space;
        this.reader = reader;
        this.clockNanos = clockNanos;
        this.nextNanos = new AtomicLong(clockNanos.getAsLong());
    }

    /** As it was when it was last looked at. */
    boolean isShort() {
        long now = clockNanos.getAsLong();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + PERIOD_NANOS)) {
            reader.execute(this::look);
        }
        return isShort;
    }

    private void look() {
        long usable = space.usable();
        boolean now = usable < limit.bytes(space.total());
        if (now && !isShort) {
            LOG.warn("Producers are refused: {} bytes are free, less than rivulet.disk.headroom={}", usable, limit);
        } else if (!now && isShort) {
            LOG.info("Producers are served again: {} bytes are free", usable);
        }
        isShort = now;
    }
}

package io.rivulet.bench.devices;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.load.Running;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Devices that connect, one after the other, at a fixed rate or as fast as they are answered. Each leaves when it was
 * answered. With a rate, latency counts from the time when the connection was due.
 *
 * <p>Owned by: its own thread, except {@link #close}. Answers are counted by the event loops of the devices.
 */
public final class ConnectLoad extends Running.Load<Devices> {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long CHECK_MILLIS = 100;

    private final List<Exchange> exchanges;
    private final int perSecond;
    /** They visit in turn. There are twice as many as visits at once, so a device has a ticket from its last visit. */
    private final int devices;

    private final Semaphore free;
    private final Counts counts;

    /** Thread-safe. */
    public record Counts(LongAdder answered, LongAdder resumed, LongAdder failed, Recorder latencies) {}

    /**
     * @param perSecond 0 for as many as possible
     * @param atOnce connections that are not answered yet, at most
     */
    public ConnectLoad(Devices devices, List<Exchange> exchanges, int perSecond, int atOnce, Counts counts) {
        super(devices);
        this.exchanges = exchanges;
        this.perSecond = perSecond;
        this.devices = 2 * atOnce;
        this.free = new Semaphore(atOnce);
        this.counts = counts;
    }

    @Override
    protected void load() {
        long startNanos = System.nanoTime();
        for (long i = 0; !isClosed(); i++) {
            long dueNanos = perSecond == 0 ? System.nanoTime() : startNanos + (long) (i * NANOS_PER_SECOND / perSecond);
            Await.nanoTime(dueNanos);
            if (!mayConnect()) {
                return;
            }
            long fromNanos = perSecond == 0 ? System.nanoTime() : dueNanos;
            var unused = connection
                    .connect((int) (i % devices), exchanges)
                    .whenComplete((visit, failure) -> end(fromNanos, visit));
        }
    }

    private boolean mayConnect() {
        try {
            while (!isClosed()) {
                if (free.tryAcquire(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void end(long fromNanos, @Nullable Visit visit) {
        free.release();
        if (visit == null) {
            counts.failed().increment();
            return;
        }
        counts.latencies().recordValue(System.nanoTime() - fromNanos);
        counts.answered().increment();
        if (visit.resumed()) {
            counts.resumed().increment();
        }
        visit.end();
    }
}

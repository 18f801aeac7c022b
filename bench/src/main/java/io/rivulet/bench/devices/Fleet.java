package io.rivulet.bench.devices;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.load.Latency;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.HdrHistogram.Recorder;

/** Devices that stay connected. One that fails tries again after a moment. Owned by: the command's thread. */
public final class Fleet {
    private static final long LONGEST_SECONDS = 120;
    private static final long LOOK_MILLIS = 50;
    /** As Kafka's clients do at first: {@code reconnect.backoff.ms}, and a fifth more or less. */
    private static final int AGAIN_MILLIS = 40;

    private static final int JITTER_MILLIS = 20;

    private final Devices devices;
    private final int count;
    private final IntFunction<List<Exchange>> exchanges;
    private final Set<Visit> open = ConcurrentHashMap.newKeySet();

    /** @param exchanges what each device sends */
    public Fleet(Devices devices, int count, IntFunction<List<Exchange>> exchanges) {
        this.devices = devices;
        this.count = count;
        this.exchanges = exchanges;
    }

    /** What happens every 50 ms while devices come. */
    @FunctionalInterface
    public interface Look {
        void look() throws IOException;
    }

    /**
     * How the devices came.
     *
     * @param answered the time from the arrival of the first one
     * @param resumed handshakes that resumed a session
     * @param failed tries that failed
     */
    public record Arrival(Latency answered, long resumed, long failed) {}

    /**
     * Connects all devices. Returns when each was answered.
     *
     * @param atOnce connections that are not answered yet, at most
     */
    public Arrival arrive(int atOnce, Look look) throws IOException, BrokerFailedException {
        Coming coming = new Coming();
        for (int i = 0; i < Math.min(atOnce, count); i++) {
            coming.next();
        }
        try {
            for (long looks = 0; !coming.left.await(LOOK_MILLIS, TimeUnit.MILLISECONDS); looks++) {
                look.look();
                if (looks * LOOK_MILLIS > TimeUnit.SECONDS.toMillis(LONGEST_SECONDS)) {
                    throw new BrokerFailedException("after " + LONGEST_SECONDS + " s, " + coming.left.getCount()
                            + " of " + count + " devices have no answer, and " + coming.failed.sum()
                            + " tries have failed: " + coming.lastFailure);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
        return new Arrival(Latency.of(coming.times), coming.resumed.sum(), coming.failed.sum());
    }

    /** Cuts all connections. Returns when they are closed. */
    public void cut() throws BrokerFailedException {
        CountDownLatch left = new CountDownLatch(open.size());
        for (Visit visit : open) {
            visit.cut(done -> left.countDown());
        }
        open.clear();
        try {
            if (!left.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new BrokerFailedException("connections do not close");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
    }

    /** One arrival. Thread-safe. */
    private final class Coming {
        final CountDownLatch left = new CountDownLatch(count);
        final Recorder times = Latency.recorder();
        final LongAdder resumed = new LongAdder();
        final LongAdder failed = new LongAdder();
        volatile String lastFailure = "none";
        private final AtomicInteger begun = new AtomicInteger();
        private final long startNanos = System.nanoTime();

        void next() {
            int device = begun.getAndIncrement();
            if (device < count) {
                connect(device);
            }
        }

        private void connect(int device) {
            var unused = devices.connect(device, exchanges.apply(device)).whenComplete((visit, failure) -> {
                if (visit == null) {
                    failed.increment();
                    lastFailure = String.valueOf(failure);
                    devices.later(
                            () -> connect(device),
                            AGAIN_MILLIS + ThreadLocalRandom.current().nextInt(JITTER_MILLIS));
                    return;
                }
                times.recordValue(System.nanoTime() - startNanos);
                if (visit.resumed()) {
                    resumed.increment();
                }
                open.add(visit);
                left.countDown();
                next();
            });
        }
    }
}

package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/**
 * Sends requests at a fixed rate on one connection, and does not wait for responses. Latency counts from the time when
 * a request was due, so a broker that stops for a while is charged for all requests that had to wait.
 *
 * <p>One thread sends, another receives. {@link #start} starts both.
 */
public final class PacedLoad extends Running.Load<ByteChannel> {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Frames frames;
    private final long intervalNanos;
    private final Recorder latencies;
    private final long startNanos = System.nanoTime();

    public PacedLoad(RunningBroker broker, Frames frames, int requestsPerSecond, Recorder latencies)
            throws IOException {
        super(broker.connect());
        this.frames = frames;
        this.intervalNanos = NANOS_PER_SECOND / requestsPerSecond;
        this.latencies = latencies;
    }

    public void start(Running running) {
        running.start(this);
        running.start(new Receiver());
    }

    @Override
    protected void load() throws IOException {
        for (long i = 0; !isClosed(); i++) {
            awaitDue(i);
            int frame = (int) (i % frames.count());
            ByteBuffer bytes = frames.slice(frame, frame + 1);
            while (bytes.hasRemaining()) {
                connection.write(bytes);
            }
        }
    }

    private void awaitDue(long request) {
        for (long left = dueNanos(request) - System.nanoTime();
                left > 0 && !isClosed();
                left = dueNanos(request) - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** When this request is due; requests are numbered from 0. Any thread. */
    public long dueNanos(long request) {
        return startNanos + request * intervalNanos;
    }

    private final class Receiver extends Running.Load<ByteChannel> {
        Receiver() {
            super(PacedLoad.this.connection);
        }

        @Override
        protected void load() throws IOException, BrokerFailedException {
            Responses responses = frames.responses();
            long received = 0;
            while (!isClosed()) {
                int count = responses.readSome(connection);
                long now = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    latencies.recordValue(Math.max(0, now - dueNanos(received++)));
                }
            }
        }
    }
}

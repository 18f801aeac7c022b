package io.rivulet.bench.versus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/**
 * Produce requests at a fixed rate on one connection, whether or not those before have been answered. Latency counts from when a
 * request was due, so that a broker that stands still is charged for all that had to wait.
 *
 * <p>{@link #run}: a thread that sends; {@link #receiver}: one that receives.
 */
public final class PacedLoad implements Running.Load {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final SocketChannel channel;
    private final ProduceFrames frames;
    private final long intervalNanos;
    private final Recorder latencies;
    private final long startNanos = System.nanoTime();
    private volatile boolean closed;

    public PacedLoad(RunningBroker broker, ProduceFrames frames, int requestsPerSecond, Recorder latencies)
            throws IOException {
        this.channel = broker.connect();
        this.frames = frames;
        this.intervalNanos = NANOS_PER_SECOND / requestsPerSecond;
        this.latencies = latencies;
    }

    @Override
    public void run() {
        try {
            for (long i = 0; !closed; i++) {
                awaitDue(i);
                int frame = (int) (i % frames.count());
                ByteBuffer bytes = frames.slice(frame, frame + 1);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException e) {
            failUnlessClosed(e);
        }
    }

    private void awaitDue(long request) {
        for (long left = dueNanos(request) - System.nanoTime();
                left > 0 && !closed;
                left = dueNanos(request) - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** When the request of this number, from 0 on, is to be sent. Any thread. */
    long dueNanos(long request) {
        return startNanos + request * intervalNanos;
    }

    /** The other half, which ends with this one. */
    public Running.Load receiver() {
        return new Running.Load() {
            @Override
            public void run() {
                receive();
            }

            @Override
            public void close() {
                // The channel is closed by the half that sends.
            }
        };
    }

    private void receive() {
        ProduceResponses responses = new ProduceResponses();
        long received = 0;
        try {
            while (!closed) {
                int count = responses.readSome(channel);
                long now = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    latencies.recordValue(Math.max(0, now - dueNanos(received++)));
                }
            }
        } catch (IOException | BrokerFailedException e) {
            failUnlessClosed(e);
        }
    }

    private void failUnlessClosed(Exception e) {
        if (!closed) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        channel.close();
    }
}

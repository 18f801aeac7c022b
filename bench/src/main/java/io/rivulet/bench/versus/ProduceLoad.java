package io.rivulet.bench.versus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/**
 * One connection that always has so many produce requests on its way: what comes back is replaced at once, in one write. Owned by:
 * its own thread, but for {@link #close}.
 */
public final class ProduceLoad implements Running.Load {
    private static final long LONGEST_NANOS = 60_000_000_000L;

    private final SocketChannel channel;
    private final ProduceFrames frames;
    private final int inFlight;
    private final LongAdder messages;
    private final Recorder latencies;
    private final ProduceResponses responses = new ProduceResponses();
    private final long[] sentNanos;
    private long sent;
    private long received;
    private int nextFrame;
    private volatile boolean closed;

    ProduceLoad(
            RunningBroker broker,
            ProduceFrames frames,
            int firstFrame,
            int inFlight,
            LongAdder messages,
            Recorder latencies)
            throws IOException {
        this.channel = broker.connect();
        this.frames = frames;
        this.nextFrame = firstFrame;
        this.inFlight = inFlight;
        this.messages = messages;
        this.latencies = latencies;
        this.sentNanos = new long[inFlight];
    }

    /** A place for latencies up to a minute, in nanoseconds. */
    public static Recorder recorder() {
        return new Recorder(LONGEST_NANOS, 3);
    }

    @Override
    public void run() {
        try {
            send(inFlight);
            while (!closed) {
                int count = responses.readSome(channel);
                long now = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    latencies.recordValue(now - sentNanos[(int) (received++ % inFlight)]);
                }
                messages.add((long) count * frames.messagesPerFrame());
                send(count);
            }
        } catch (IOException | BrokerFailedException e) {
            if (!closed) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
    }

    private void send(int count) throws IOException {
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            sentNanos[(int) (sent++ % inFlight)] = now;
        }
        for (int left = count; left > 0; ) {
            int run = Math.min(left, frames.count() - nextFrame);
            ByteBuffer bytes = frames.slice(nextFrame, nextFrame + run);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            nextFrame = (nextFrame + run) % frames.count();
            left -= run;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        channel.close();
    }
}

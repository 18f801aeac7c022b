package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One connection with five produce requests in flight: each response is followed by a new request at once. Owned by:
 * its own thread, but for {@link #close}.
 */
public final class ProduceLoad extends Running.Load<SocketChannel> {
    private static final int IN_FLIGHT = 5;

    private final ProduceFrames frames;
    private final long requests;
    private final Counters counters;
    private final ProduceResponses responses = new ProduceResponses();
    private final long[] sentNanos = new long[IN_FLIGHT];
    private long sent;
    private long received;
    private int nextFrame;

    /** Loads the broker until it is closed. */
    public ProduceLoad(RunningBroker broker, ProduceFrames frames, int firstFrame, Counters counters)
            throws IOException {
        this(broker, frames, firstFrame, Long.MAX_VALUE, counters);
    }

    /** @param requests ends after so many */
    ProduceLoad(RunningBroker broker, ProduceFrames frames, int firstFrame, long requests, Counters counters)
            throws IOException {
        super(broker.connect());
        this.frames = frames;
        this.nextFrame = firstFrame;
        this.requests = requests;
        this.counters = counters;
    }

    @Override
    protected void load() throws IOException, BrokerFailedException {
        send(IN_FLIGHT);
        while (!isClosed() && received < requests) {
            int count = responses.readSome(connection);
            long now = System.nanoTime();
            for (int i = 0; i < count; i++) {
                counters.latencies().recordValue(now - sentNanos[(int) (received++ % IN_FLIGHT)]);
            }
            counters.messages().add((long) count * frames.messagesPerFrame());
            send(count);
        }
    }

    private void send(int most) throws IOException {
        int count = (int) Math.min(most, requests - sent);
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            sentNanos[(int) (sent++ % IN_FLIGHT)] = now;
        }
        for (int left = count; left > 0; ) {
            int run = Math.min(left, frames.count() - nextFrame);
            ByteBuffer bytes = frames.slice(nextFrame, nextFrame + run);
            while (bytes.hasRemaining()) {
                connection.write(bytes);
            }
            nextFrame = (nextFrame + run) % frames.count();
            left -= run;
        }
    }
}

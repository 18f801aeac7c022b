package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * One connection with five requests in flight: each response is followed by a new request at once. Owned by: its own
 * thread, except {@link #close}.
 */
public final class PipelinedLoad extends Running.Load<ByteChannel> {
    private static final int IN_FLIGHT = 5;

    private final Frames frames;
    private final long requests;
    private final Counters counters;
    private final Responses responses;
    private final long[] sentNanos = new long[IN_FLIGHT];
    private long sent;
    private long received;
    private int nextFrame;

    /** Runs until it is closed. */
    public PipelinedLoad(RunningBroker broker, Frames frames, int firstFrame, Counters counters) throws IOException {
        this(broker, frames, firstFrame, Long.MAX_VALUE, counters);
    }

    /** @param requests number of requests after which the load ends */
    PipelinedLoad(RunningBroker broker, Frames frames, int firstFrame, long requests, Counters counters)
            throws IOException {
        super(broker.connect());
        this.frames = frames;
        this.nextFrame = firstFrame;
        this.requests = requests;
        this.counters = counters;
        this.responses = frames.responses();
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

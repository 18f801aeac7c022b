package io.rivulet.bench.versus;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Counters;
import io.rivulet.bench.load.Running;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * Heartbeats of many members on one connection, some on their way at any time. Owned by: its own thread, but for {@link #close}.
 *
 * <pre>
 *   both kinds of response: length 4 | correlation id 4 | tags 1 | throttle 4 | error 2 | ...
 * </pre>
 */
final class HeartbeatLoad extends Running.Load<SocketChannel> {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int IN_FLIGHT = 5;
    private static final int ERROR_AT = 13;

    private final List<ByteBuf> frames;
    private final Counters counters;
    private final ByteBuffer received = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();
    private final ByteBuffer sending = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private int next;

    /** @param frames requests, one for each member, which stay the caller's */
    HeartbeatLoad(RunningBroker broker, List<ByteBuf> frames, Counters counters) throws IOException {
        super(broker.connect());
        this.frames = frames;
        this.counters = counters;
    }

    @Override
    protected void load() throws IOException {
        send(IN_FLIGHT);
        while (!isClosed()) {
            int count = receive();
            counters.messages().add(count);
            send(count);
        }
    }

    private void send(int count) throws IOException {
        sending.clear();
        for (int i = 0; i < count; i++) {
            sending.put(frames.get(next).nioBuffer());
            next = (next + 1) % frames.size();
        }
        sending.flip();
        while (sending.hasRemaining()) {
            connection.write(sending);
        }
    }

    private int receive() throws IOException {
        received.compact();
        if (connection.read(received) < 0) {
            throw new EOFException("the broker closed the connection");
        }
        received.flip();
        int count = 0;
        while (received.remaining() >= Integer.BYTES
                && received.remaining() >= Integer.BYTES + received.getInt(received.position())) {
            short error = received.getShort(received.position() + ERROR_AT);
            if (error != 0) {
                throw new IllegalStateException("a heartbeat was answered with error " + error);
            }
            received.position(received.position() + Integer.BYTES + received.getInt(received.position()));
            count++;
        }
        return count;
    }
}

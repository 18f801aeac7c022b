package io.rivulet.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Many connections of an attacker. Those that the broker has closed stay in the list. Owned by: one test. */
final class Sockets implements AutoCloseable {
    /** Leaves processor time to the broker. */
    private static final long PAUSE_NANOS = 100_000;

    private final int port;
    private final List<SocketChannel> open = new ArrayList<>();
    private final Set<SocketChannel> answered = new HashSet<>();

    Sockets(int port) {
        this.port = port;
    }

    /** Opens this number of connections. Fails if the machine refuses one. */
    Sockets open(int count) {
        try {
            for (int i = 0; i < count; i++) {
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                channel.configureBlocking(false);
                open.add(channel);
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the bytes to each connection, as far as the broker reads. Skips closed connections. */
    void writeAsFarAsTaken(ByteBuffer bytes, int rounds) throws InterruptedException {
        List<ByteBuffer> left = new ArrayList<>();
        open.forEach(channel -> left.add(bytes.duplicate()));
        for (int round = 0; round < rounds; round++) {
            boolean any = false;
            for (int i = 0; i < open.size(); i++) {
                any |= left.get(i).hasRemaining() && write(open.get(i), left.get(i));
            }
            if (!any && left.stream().noneMatch(ByteBuffer::hasRemaining)) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean write(SocketChannel channel, ByteBuffer bytes) {
        try {
            return channel.write(bytes) > 0;
        } catch (IOException e) {
            bytes.position(bytes.limit()); // the broker has closed it
            return false;
        }
    }

    /** Reads what has come. Whether the broker has ever answered on each connection. */
    boolean areAnswered() throws IOException {
        ByteBuffer read = ByteBuffer.allocate(4096);
        for (SocketChannel channel : open) {
            if (channel.read(read.clear()) > 0) {
                answered.add(channel);
            }
        }
        return answered.containsAll(open);
    }

    /** The number of connections that the broker has closed. */
    int closedByBroker() {
        int closed = 0;
        ByteBuffer one = ByteBuffer.allocate(1);
        for (SocketChannel channel : open) {
            try {
                closed += channel.read(one.clear()) < 0 ? 1 : 0;
            } catch (IOException e) {
                closed++;
            }
        }
        return closed;
    }

    /** Ends all connections with a reset. */
    void reset() {
        for (SocketChannel channel : open) {
            try {
                channel.setOption(java.net.StandardSocketOptions.SO_LINGER, 0);
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        open.clear();
    }

    @Override
    public void close() {
        for (SocketChannel channel : open) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        open.clear();
    }
}

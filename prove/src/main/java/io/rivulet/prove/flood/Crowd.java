package io.rivulet.prove.flood;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Many connections to one broker, and what they do. Owned by: one thread, and its own while it repeats something. */
final class Crowd implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int SMALLEST_BUFFER = 4 << 10;

    private final InetSocketAddress broker;
    private final List<SocketChannel> members = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Crowd(int port) {
        this.broker = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** So many more connections, which take few bytes at a time. */
    Crowd join(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            members.add(connect());
        }
        return this;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            // so that its port can be used again at once
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALLEST_BUFFER);
            channel.socket().connect(broker, CONNECT_MILLIS);
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** What a member does. */
    interface Act {
        void by(SocketChannel member, int number) throws IOException;
    }

    /** Everybody who is still connected does it once. */
    Crowd each(Act act) {
        for (int number = 0; number < members.size(); number++) {
            SocketChannel member = members.get(number);
            if (member.isOpen()) {
                doOrLeave(act, member, number);
            }
        }
        return this;
    }

    private static void doOrLeave(Act act, SocketChannel member, int number) {
        try {
            act.by(member, number);
        } catch (IOException e) {
            closeQuietly(member); // the broker has closed it
        }
    }

    /** Everybody does it again and again. */
    Crowd eachEvery(long millis, Act act) {
        return repeat(millis, () -> each(act));
    }

    /** Somebody connects, does something and leaves, again and again. */
    Crowd visits(long millis, int atOnce, Act act) {
        int[] visitor = new int[1];
        return repeat(millis, () -> {
            for (int i = 0; i < atOnce; i++) {
                visit(act, visitor[0]++);
            }
        });
    }

    private void visit(Act act, int number) {
        try (SocketChannel channel = connect()) {
            act.by(channel, number);
        } catch (IOException e) {
            return; // the broker has closed it, or does not accept it
        }
    }

    private Crowd repeat(long millis, Runnable what) {
        Thread thread = new Thread(
                () -> {
                    while (!over) {
                        long startNanos = System.nanoTime();
                        what.run();
                        LockSupport.parkNanos(startNanos + TimeUnit.MILLISECONDS.toNanos(millis) - System.nanoTime());
                    }
                },
                "crowd");
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        return this;
    }

    /** Writes as much as the broker takes. */
    static void write(SocketChannel to, byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining() && to.write(left) > 0) {
            // more may fit
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            return; // it is closed
        }
    }

    /** All leave. */
    @Override
    public void close() {
        over = true;
        for (Thread thread : threads) {
            try {
                LockSupport.unpark(thread);
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        members.forEach(Crowd::closeQuietly);
    }
}

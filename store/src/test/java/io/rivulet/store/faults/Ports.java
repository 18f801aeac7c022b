package io.rivulet.store.faults;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports for the servers of tests. Each stays free while its server is down: the system may give a port of port 0 to a
 * client, even to a client of that server, which is then connected to itself.
 *
 * <p>Several processes of tests look for ports at the same time, and a server may be started long after its port was
 * found. So this process holds the UDP port of the same number until it ends, and whoever finds that taken looks on.
 * Thread-safe.
 */
public final class Ports {
    /** Below the ports that Linux gives to clients. */
    private static final int FIRST = 20_000;

    private static final int END = 32_000;
    private static final int TRIES = 1_000;
    /** Then the oldest are given back. */
    private static final int MOST_HELD = 512;

    private static final Deque<DatagramSocket> HELD = new ArrayDeque<>();

    private Ports() {}

    /** A port that no other test on this machine is given. */
    public static int free() throws IOException {
        return free(1);
    }

    /** The first of so many ports side by side. */
    public static int free(int count) throws IOException {
        return free(FIRST, END, count);
    }

    static int free(int first, int end, int count) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(first, end - count + 1);
            if (takeAll(port, count)) {
                return port;
            }
        }
        throw new IOException("no port is free between " + first + " and " + end);
    }

    private static synchronized boolean takeAll(int port, int count) {
        Deque<DatagramSocket> taken = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            DatagramSocket own = take(port + i);
            if (own == null) {
                taken.forEach(DatagramSocket::close);
                return false;
            }
            taken.add(own);
        }
        HELD.addAll(taken);
        while (HELD.size() > MOST_HELD) {
            HELD.remove().close();
        }
        return true;
    }

    /** Those that were given last. */
    static synchronized void giveBack(int count) {
        for (int i = 0; i < count; i++) {
            HELD.removeLast().close();
        }
    }

    /** Null if another process, or a test before, has the port, or anybody listens on it. */
    private static @Nullable DatagramSocket take(int port) {
        DatagramSocket own;
        try {
            own = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (SocketException e) {
            return null;
        }
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assert probe.isBound();
            return own;
        } catch (IOException e) {
            own.close();
            return null;
        }
    }
}

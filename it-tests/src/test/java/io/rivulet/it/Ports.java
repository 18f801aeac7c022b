package io.rivulet.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that are started again and again on the same one. */
public final class Ports {
    /** Below those that Linux gives to clients. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;
    private static final int TRIES = 100;

    private Ports() {}

    /**
     * A free port that stays free while its server is down: one that the system gave away before, for port 0, it may give to a client
     * meanwhile, even to one that is looking for that server and is then connected to itself.
     */
    public static int free() throws IOException {
        IOException taken = new IOException("no port is free");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                taken.addSuppressed(e);
            }
        }
        throw taken;
    }
}

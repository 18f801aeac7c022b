package io.rivulet.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that are restarted on the same port. */
public final class Ports {
    /** Below the ports that Linux gives to clients. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;
    private static final int TRIES = 100;

    private Ports() {}

    /**
     * Returns a free port that stays free while its server is down. The system may give a port of port 0 to a client,
     * even to a client of that server, which is then connected to itself.
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

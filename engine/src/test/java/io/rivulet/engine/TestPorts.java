package io.rivulet.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports below those that the system gives to clients. */
final class TestPorts {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final AtomicInteger NEXT = new AtomicInteger(FIRST + (int) (System.nanoTime() >>> 10 & 0x1FFF));

    private TestPorts() {}

    /** The first of free ports side by side. Gives no port twice, or late. */
    static int free(int count) throws IOException {
        for (int port = NEXT.getAndAdd(count); port + count < END; port = NEXT.getAndAdd(count)) {
            int free = 0;
            while (free < count && isFree(port + free)) {
                free++;
            }
            if (free == count) {
                return port;
            }
        }
        throw new IOException("no free ports");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

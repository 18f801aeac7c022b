package io.rivulet.cluster.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A ZooKeeper in this process, on the loopback interface. Nothing is forced to the disk. */
final class TestKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 2000;
    private static final int MAX_CONNECTIONS = 100;

    private final ZooKeeperServer server;
    private final ServerCnxnFactory connections;

    TestKeeper(Path directory) throws IOException, InterruptedException {
        server = new ZooKeeperServer(
                Files.createDirectory(directory.resolve("snapshots")).toFile(),
                Files.createDirectory(directory.resolve("log")).toFile(),
                TICK_MILLIS);
        connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MAX_CONNECTIONS);
        connections.startup(server);
    }

    String address() {
        return "127.0.0.1:" + connections.getLocalPort();
    }

    void endSession(long id) {
        server.closeSession(id);
    }

    /** Clients must connect again, in the same session. */
    void breakConnections() {
        connections.getConnections().forEach(connection -> connection.close(DisconnectReason.UNKNOWN));
    }

    @Override
    public void close() {
        connections.shutdown();
    }
}

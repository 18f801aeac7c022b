package io.rivulet.cluster.bookkeeper;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.common.component.LifecycleComponentStack;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A ZooKeeper and bookies in this process, on the loopback interface. Nothing is forced to the disk. */
public final class TestBookies implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int TICK_MILLIS = 2000;
    private static final int MAX_CONNECTIONS = 100;

    private final Path directory;
    private final int keeperPort;
    private ServerCnxnFactory connections;
    private final List<LifecycleComponentStack> bookies = new ArrayList<>();

    public TestBookies(Path directory, int bookieCount) throws Exception {
        this.directory = directory;
        Files.createDirectory(directory.resolve("snapshots"));
        Files.createDirectory(directory.resolve("keeper"));
        this.keeperPort = Ports.free();
        this.connections = keeper(keeperPort);
        BookKeeperAdmin.initNewCluster(configuration(directory.resolve("none")));
        for (int i = 0; i < bookieCount; i++) {
            start(configuration(Files.createDirectory(directory.resolve("bookie" + i))));
        }
    }

    private ServerCnxnFactory keeper(int port) throws Exception {
        ZooKeeperServer keeper = new ZooKeeperServer(
                directory.resolve("snapshots").toFile(),
                directory.resolve("keeper").toFile(),
                TICK_MILLIS);
        ServerCnxnFactory started = new NIOServerCnxnFactory();
        started.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MAX_CONNECTIONS);
        started.startup(keeper);
        return started;
    }

    public String registry() {
        return LOOPBACK + ":" + keeperPort;
    }

    public void stopKeeper() {
        connections.shutdown();
    }

    /** It has what it had. */
    public void startKeeper() throws Exception {
        connections = keeper(keeperPort);
    }

    private void start(ServerConfiguration configuration) throws Exception {
        LifecycleComponentStack bookie = EmbeddedServer.builder(new BookieConfiguration(configuration))
                .build()
                .getLifecycleComponentStack();
        bookie.start();
        bookies.add(bookie);
    }

    private ServerConfiguration configuration(Path directory) throws IOException {
        ServerConfiguration configuration = new ServerConfiguration();
        configuration.setMetadataServiceUri("zk+hierarchical://" + registry() + "/ledgers");
        configuration.setJournalDirName(directory.resolve("journal").toString());
        configuration.setLedgerDirNames(
                new String[] {directory.resolve("ledgers").toString()});
        configuration.setLedgerStorageClass("org.apache.bookkeeper.bookie.InterleavedLedgerStorage");
        configuration.setAllowLoopback(true);
        configuration.setAdvertisedAddress(LOOPBACK);
        configuration.setListeningInterface(null);
        configuration.setBookiePort(Ports.free());
        configuration.setHttpServerEnabled(false);
        configuration.setAutoRecoveryDaemonEnabled(false);
        configuration.setNumAddWorkerThreads(1);
        configuration.setNumReadWorkerThreads(1);
        configuration.setServerNumIOThreads(1);
        configuration.setProperty("journalPreAllocSizeMB", 1);
        configuration.setProperty("journalSyncData", false);
        configuration.setDiskUsageThreshold(0.999f);
        configuration.setDiskUsageWarnThreshold(0.998f);
        return configuration;
    }

    /** Ends a bookie; it does not come back. */
    void stop(int bookie) {
        bookies.get(bookie).close();
    }

    @Override
    public void close() {
        bookies.forEach(LifecycleComponentStack::close);
        connections.shutdown();
    }
}

package io.rivulet.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.bookkeeper.common.component.LifecycleComponentStack;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bookie: BookKeeper's stock server with a configuration of ours.
 *
 * <p>Its id is drawn when its directory is made, and has nothing to do with an address. So a bookie whose disk was
 * wiped comes back as another one, and is not taken for the one that had the entries.
 */
final class Bookie {
    private static final Logger LOG = LoggerFactory.getLogger(Bookie.class);

    private static final String FILE = "bookkeeper.conf";
    private static final String ID_FILE = "id";

    private final ServerConfiguration configuration = new ServerConfiguration();
    private final Path file;
    private final String id;

    /** Writes the configuration, and makes the directory if there is none. */
    Bookie(Path directory, Registry registry, String host, int port, boolean allowLoopback) throws IOException {
        DirectoryLock.take(directory);
        id = id(directory);
        file = directory.resolve(FILE);
        List<String> lines = new ArrayList<>(List.of("# Written by bin/rivulet engine at each start."));
        settings(directory, registry, host, port, allowLoopback).forEach((key, value) -> {
            configuration.setProperty(key, value.toString());
            lines.add(key + "=" + value);
        });
        Files.write(file, lines);
    }

    private static String id(Path directory) throws IOException {
        Path idFile = directory.resolve(ID_FILE);
        if (Files.exists(idFile)) {
            return Files.readString(idFile).strip();
        }
        if (Files.exists(directory.resolve("journal"))) {
            throw new IOException(directory + " has a journal and no file '" + ID_FILE
                    + "': restore that file, or remove the directory, and its entries are copied from other bookies");
        }
        String drawn = "bookie-" + UUID.randomUUID();
        Files.writeString(idFile, drawn + "\n");
        return drawn;
    }

    private Map<String, Object> settings(
            Path directory, Registry registry, String host, int port, boolean allowLoopback) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("metadataServiceUri", registry.metadataUri());
        settings.put("bookieId", id);
        settings.put("advertisedAddress", host);
        settings.put("bookiePort", port);
        settings.put("allowLoopback", allowLoopback);
        settings.put("journalDirectories", directory.resolve("journal"));
        settings.put("ledgerDirectories", directory.resolve("ledgers"));
        settings.put("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
        settings.put("dbStorage_directIOEntryLogger", true);
        // A thread keeps a buffer for each file that it read. The total is that of the read workers; threads of high
        // priority, which read when a ledger is recovered, have as much each.
        settings.put("dbStorage_directIOEntryLoggerTotalReadBufferSizeMB", 16);
        settings.put("dbStorage_directIOEntryLoggerReadBufferSizeMB", 1);
        settings.put("dbStorage_directIOEntryLoggerTotalWriteBufferSizeMB", 32);
        settings.put("numReadWorkerThreads", 4);
        settings.put("numHighPriorityWorkerThreads", 2);
        settings.put("dbStorage_writeCacheMaxSizeMb", 64);
        settings.put("dbStorage_readAheadCacheMaxSizeMb", 32);
        settings.put("dbStorage_rocksDB_blockCacheSize", 16 << 20);
        // Or each append waits two milliseconds for others to share its fsync with.
        settings.put("journalFlushWhenQueueEmpty", true);
        settings.put("journalMaxSizeMB", 256);
        settings.put("journalMaxBackups", 0);
        settings.put("journalPreAllocSizeMB", 16);
        settings.put("autoRecoveryDaemonEnabled", false);
        settings.put("httpServerEnabled", false);
        settings.put("diskUsageThreshold", 0.97);
        settings.put("diskUsageWarnThreshold", 0.95);
        return settings;
    }

    String id() {
        return id;
    }

    Path file() {
        return file;
    }

    /** Makes the cluster in ZooKeeper, if this is the first bookie, and serves until the process ends. */
    void run() throws Exception {
        configuration.validate();
        BookieCluster.make(configuration);
        BookieCluster.awaitEndOfSession(configuration, BookieId.parse(id));
        EmbeddedServer server =
                EmbeddedServer.builder(new BookieConfiguration(configuration)).build();
        LifecycleComponentStack stack = server.getLifecycleComponentStack();
        stack.setExceptionHandler((thread, failure) -> EngineEnd.fail("the bookie", failure));
        stack.start();
        if (!server.getBookieService().getServer().isBookieRunning()) {
            throw new IOException("the bookie has not started: the lines above say why");
        }
        Runtime.getRuntime().addShutdownHook(new Thread(stack::close, "bookie-close"));
        new Recovery(configuration).start();
        LOG.info("ready");
        new CountDownLatch(1).await();
    }
}

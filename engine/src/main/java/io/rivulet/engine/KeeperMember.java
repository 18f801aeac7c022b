package io.rivulet.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** One member of ZooKeeper: its stock server with a configuration of ours. */
final class KeeperMember extends QuorumPeerMain {
    private static final String FILE = "zookeeper.cfg";

    private final Path file;

    /** Writes the configuration. */
    KeeperMember(Path directory, Registry registry, int id) throws IOException {
        DirectoryLock.take(directory);
        Path data = Files.createDirectories(directory.resolve("data"));
        file = directory.resolve(FILE);
        Files.writeString(data.resolve("myid"), id + "\n");
        Files.write(file, lines(data, registry, id));
    }

    private static List<String> lines(Path data, Registry registry, int id) {
        List<String> lines = new ArrayList<>(List.of(
                "# Written by bin/rivulet engine at each start.",
                "dataDir=" + data,
                "clientPort=" + registry.member(id).port(),
                "clientPortAddress=" + registry.member(id).host(),
                "tickTime=1000",
                "initLimit=10",
                "syncLimit=5",
                "maxClientCnxns=0",
                "autopurge.snapRetainCount=3",
                "autopurge.purgeInterval=1",
                "admin.enableServer=false",
                "4lw.commands.whitelist=ruok,srvr,mntr"));
        for (int i = 1; registry.members().size() > 1 && i <= registry.members().size(); i++) {
            Registry.Member member = registry.member(i);
            lines.add("server." + i + "=" + member.host() + ":" + member.peerPort() + ":" + member.electionPort());
        }
        return lines;
    }

    Path file() {
        return file;
    }

    /** Runs the server until it ends. */
    void run() throws IOException {
        try {
            initializeAndRun(new String[] {file.toString()});
        } catch (ConfigException | AdminServerException e) {
            throw new IOException("ZooKeeper does not start with " + file + ": " + e.getMessage(), e);
        }
    }
}

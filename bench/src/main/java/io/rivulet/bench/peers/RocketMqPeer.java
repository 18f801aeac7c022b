package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** RocketMQ with consume queues in RocksDB. A queue is a queue of a topic with at most 1,000 of them. Immutable. */
record RocketMqPeer(int heapMib) implements Peer {
    @Override
    public String name() {
        return "rocketmq";
    }

    @Override
    public String title() {
        return "RocketMQ 5.5.0, RocksDB";
    }

    @Override
    public String promise() {
        return "fsync (`SYNC_FLUSH`)";
    }

    private static Path libraries() {
        return Lab.inProject("bench/target/rocketmq/libs");
    }

    @Override
    public void prepare() throws IOException, BrokerFailedException {
        if (!Files.isDirectory(libraries())) {
            Path project = Lab.inProject("bench/rocketmq");
            Path maven = Tools.find("mvn").orElseThrow(() -> new BrokerFailedException("not fetched: install Maven"));
            List<String> fetch = List.of(maven.toString(), "-B", "-ntp", "-q", "package");
            Tools.run(project, fetch, "not fetched: the output of Maven is above");
        }
    }

    @Override
    public List<String> command(Path home, int port) throws IOException {
        Path configuration = home.resolve("broker.conf");
        Files.writeString(configuration, """
                brokerClusterName=bench
                brokerName=bench
                brokerId=0
                brokerIP1=127.0.0.1
                bindAddress=127.0.0.1
                listenPort=%d
                haListenPort=%d
                storePathRootDir=%s
                storePathCommitLog=%s
                storeType=defaultRocksDB
                flushDiskType=SYNC_FLUSH
                autoCreateTopicEnable=false
                syncFlushTimeout=60000
                waitTimeMillsInSendQueue=60000
                """.formatted(
                        port, Lab.freePort(), home.resolve("data"), home.resolve("data/commitlog")));
        // The options of its own runbroker.sh, with a smaller heap.
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-server",
                "-Xmx" + heapMib + "m",
                "-XX:MaxDirectMemorySize=" + heapMib + "m",
                "-XX:+UseG1GC",
                "-XX:G1HeapRegionSize=16m",
                "-XX:G1ReservePercent=25",
                "-XX:InitiatingHeapOccupancyPercent=30",
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Drocketmq.home.dir=" + home,
                "-Duser.home=" + home,
                "-cp",
                libraries() + "/*",
                "org.apache.rocketmq.broker.BrokerStartup",
                "-c",
                configuration.toString());
    }

    @Override
    public PeerConnection connect(int port, PeerShape shape) throws IOException {
        return new RemotingConnection(port, shape);
    }
}

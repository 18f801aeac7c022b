package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * NATS JetStream. A queue is a subject of one stream. Immutable.
 *
 * @param syncsAlways otherwise it syncs with the default interval
 */
record NatsPeer(boolean syncsAlways) implements Peer {
    @Override
    public String name() {
        return syncsAlways ? "nats-always" : "nats-default";
    }

    @Override
    public String title() {
        return "NATS JetStream 2.15" + (syncsAlways ? "" : ", default");
    }

    @Override
    public String promise() {
        return syncsAlways ? "fsync (`sync_interval: always`)" : "write; fsync every 2 minutes (default)";
    }

    private static Path server() {
        return Lab.inProject("bench/target/nats/nats-server");
    }

    @Override
    public void prepare() throws IOException, BrokerFailedException {
        if (Files.isExecutable(server())) {
            return;
        }
        Path go = Tools.find("go").orElseThrow(() -> new BrokerFailedException("not built: install Go, go.dev/dl"));
        Files.createDirectories(server().getParent());
        List<String> build =
                List.of(go.toString(), "build", "-o", server().toString(), "github.com/nats-io/nats-server/v2");
        Tools.run(Lab.inProject("bench/nats"), build, "not built: the output of go is above");
    }

    @Override
    public List<String> command(Path home, int port) throws IOException {
        Path configuration = home.resolve("nats.conf");
        Files.writeString(
                configuration, """
                listen: "127.0.0.1:%d"
                jetstream {
                  store_dir: "%s"
                  max_memory_store: 1GB
                  max_file_store: 40GB
                  %s
                }
                """.formatted(port, home.resolve("data"), syncsAlways ? "sync_interval: always" : ""));
        return List.of(server().toString(), "-c", configuration.toString());
    }

    @Override
    public PeerConnection connect(int port, PeerShape shape) throws IOException {
        return new NatsConnection(port, shape);
    }
}

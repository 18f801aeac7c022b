package io.rivulet.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A broker whose log is on bookies, as bin/rivulet starts it. Owned by: one thread. */
final class ClusterBroker implements AutoCloseable {
    private static final Path LAUNCHER =
            Path.of("..", "bin", "rivulet").toAbsolutePath().normalize();

    private final int port;
    private final ChildProcess process;

    private ClusterBroker(int port, ChildProcess process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts a broker, and does not wait.
     *
     * @param scratch for its output and its file of configuration
     */
    static ClusterBroker start(Path scratch, Path data, int port, String cluster) throws IOException {
        Path file = scratch.resolve("server-" + port + ".properties");
        Files.write(
                file,
                List.of(
                        "rivulet.cluster = " + cluster,
                        "log.dirs=" + data,
                        "rivulet.http.listener=none",
                        "num.partitions=3",
                        // so small that there are sweeps, checkpoints and trims
                        "rivulet.tail.bytes=" + (16 << 20)));
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString(), "start", file.toString()));
        command.add("--override=listeners=PLAINTEXT://localhost:" + port);
        ChildProcess process = ChildProcess.start(
                scratch.resolve("broker-" + port + ".log"),
                Map.of("RIVULET_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1"),
                command);
        return new ClusterBroker(port, process);
    }

    ClusterBroker awaitReady() {
        process.awaitOutput("is ready on localhost:" + port);
        return this;
    }

    String servers() {
        return "localhost:" + port;
    }

    int port() {
        return port;
    }

    ChildProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}

package io.rivulet.engine;

import io.rivulet.cluster.bookkeeper.BuggyLogs;
import io.rivulet.cluster.service.BuggyShards;
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

    private static final String LOCAL = "localhost";

    private final String host;
    private final int port;
    private final ChildProcess process;

    private ClusterBroker(String host, int port, ChildProcess process) {
        this.host = host;
        this.port = port;
        this.process = process;
    }

    /**
     * Starts a broker, and does not wait.
     *
     * @param scratch for its output and its file of configuration
     */
    static ClusterBroker start(Path scratch, Path data, int port, String cluster) throws IOException {
        return start(scratch, data, port, cluster, "");
    }

    /** @param bug one of {@link BuggyLogs}; empty for none */
    static ClusterBroker start(Path scratch, Path data, int port, String cluster, String bug) throws IOException {
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
        Path log = scratch.resolve("broker-" + port + ".log");
        return start(Machine.local(LOCAL), log, port, bug, file, "--override=listeners=PLAINTEXT://localhost:" + port);
    }

    /** One of several brokers that own the log by turns. */
    static ClusterBroker start(Path scratch, int id, int port, String cluster) throws IOException {
        return start(Machine.local(LOCAL), scratch, id, port, cluster, "", "none");
    }

    /**
     * One of several brokers that own the log by turns, on that machine.
     *
     * @param bug one of {@link BuggyShards}; empty for none
     * @param sessionMillis of ZooKeeper
     */
    static ClusterBroker start(
            Machine machine, Path scratch, int id, int port, String cluster, String bug, int sessionMillis)
            throws IOException {
        return start(
                machine,
                scratch,
                id,
                port,
                cluster,
                bug,
                "none",
                "rivulet.cluster.session.timeout.ms=" + sessionMillis);
    }

    /** @param pages host:port of the pages for operators, or none */
    static ClusterBroker startWithPages(Path scratch, int id, int port, String cluster, String pages)
            throws IOException {
        return start(Machine.local(LOCAL), scratch, id, port, cluster, "", pages);
    }

    private static ClusterBroker start(
            Machine machine, Path scratch, int id, int port, String cluster, String bug, String pages, String... more)
            throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "node.id=" + id,
                "rivulet.cluster = " + cluster,
                "rivulet.cluster.failover=true",
                "log.dirs=" + scratch.resolve("data-" + id),
                "rivulet.http.listener=" + pages,
                "num.partitions=3",
                "rivulet.tail.bytes=" + (16 << 20),
                "listeners=PLAINTEXT://" + machine.host() + ":" + port));
        lines.addAll(List.of(more));
        Path file = Files.write(scratch.resolve("server-" + id + ".properties"), lines);
        return start(machine, scratch.resolve("broker-" + id + ".log"), port, bug, file);
    }

    private static ClusterBroker start(Machine machine, Path log, int port, String bug, Path file, String... more)
            throws IOException {
        List<String> command = new ArrayList<>(bug.isEmpty() ? List.of(LAUNCHER.toString()) : withBug(bug));
        command.addAll(List.of("start", file.toString()));
        command.addAll(List.of(more));
        ChildProcess process = ChildProcess.start(
                log,
                Map.of("RIVULET_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1 " + ClassArchives.ofBrokers()),
                machine.command(command));
        return new ClusterBroker(machine.host(), port, process);
    }

    /** Runs bin/rivulet to its end, and returns what it prints. */
    static String run(Path output, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        try (ChildProcess process =
                ChildProcess.start(output, Map.of("RIVULET_OPTS", "-XX:TieredStopAtLevel=1"), command)) {
            int code = process.awaitEnd();
            return "exit code " + code + System.lineSeparator() + process.output();
        }
    }

    /** What the launcher does, with the classes of these tests before those of the module cluster. */
    private static List<String> withBug(String bug) {
        Path home = LAUNCHER.resolve("../..").normalize();
        return List.of(
                ChildProcess.java(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-D" + BuggyLogs.PROPERTY + "=" + bug,
                "-cp",
                home + "/broker/target/rivulet.jar:" + home + "/engine/target/test-classes:" + home
                        + "/cluster/target/rivulet-cluster.jar:" + home + "/cluster/target/lib/*",
                "io.rivulet.broker.cli.Rivulet");
    }

    ClusterBroker awaitReady() {
        process.awaitOutput(ready());
        return this;
    }

    /** Waits until it is the owner, and answers. */
    ClusterBroker awaitServing(int epoch) {
        process.awaitOutput("This broker serves the shard, epoch " + epoch + ", ");
        return this;
    }

    boolean isReady() throws IOException {
        return process.output().contains(ready());
    }

    private String ready() {
        return "is ready on " + servers();
    }

    String servers() {
        return host + ":" + port;
    }

    String host() {
        return host;
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

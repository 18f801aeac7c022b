package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.awaitility.Awaitility;

/**
 * A broker in its own process, which is killed and started again on its port. With {@code -Drivulet.brokers=3}, there
 * are three that own a log by turns, and the owner is killed.
 *
 * <p>Owned by: the test's thread.
 */
public final class BrokerProcesses implements AutoCloseable {
    private static final Path CLUSTER = Path.of("..", "cluster", "target");
    private static final AtomicInteger LOGS = new AtomicInteger();
    private static final int ASK_MILLIS = 3_000;
    private static final int NOBODY = -1;

    private final Path scratch;
    private final String log;
    private final List<String> overrides;
    private final int[] ports;
    private final ServerProcess[] processes;
    private int killed = NOBODY;

    private BrokerProcesses(Path scratch, int count, List<String> overrides) throws IOException {
        this.scratch = scratch;
        this.log = count == 1 ? "" : TestEngines.registry() + "/processes-" + LOGS.incrementAndGet();
        this.overrides = overrides;
        this.ports = new int[count];
        this.processes = new ServerProcess[count];
    }

    /** Returns when clients are served. */
    public static BrokerProcesses start(Path scratch, String... overrides) throws IOException {
        BrokerProcesses brokers = new BrokerProcesses(scratch, TestBroker.COUNT, List.of(overrides));
        try {
            for (int i = 0; i < brokers.ports.length; i++) {
                brokers.ports[i] = Ports.free();
                brokers.launch(i);
            }
            brokers.awaitOwner();
            return brokers;
        } catch (IOException | RuntimeException | Error e) {
            brokers.close();
            throw e;
        }
    }

    private void launch(int number) throws IOException {
        List<String> arguments = new ArrayList<>(overrides);
        arguments.add("--override=listeners=PLAINTEXT://localhost:" + ports[number]);
        ServerProcess.Launch launch = ServerProcess.in(scratch);
        if (isCluster()) {
            arguments.add("--override=node.id=" + (number + 1));
            arguments.add("--override=log.dirs=data-" + (number + 1));
            arguments.add("--override=rivulet.cluster=" + log);
            arguments.add("--override=rivulet.cluster.failover=true");
            launch.classPath(jarsOfCluster());
        }
        processes[number] = launch.start(arguments.toArray(new String[0]));
        assertThat(processes[number].awaitReady()).isEqualTo(ports[number]);
    }

    private static List<Path> jarsOfCluster() throws IOException {
        try (Stream<Path> libraries = Files.list(CLUSTER.resolve("lib"))) {
            return Stream.concat(Stream.of(CLUSTER.resolve("rivulet-cluster.jar")), libraries.sorted())
                    .toList();
        }
    }

    private boolean isCluster() {
        return ports.length > 1;
    }

    /** For the bootstrap.servers of a client. */
    public String servers() {
        return Arrays.stream(ports).mapToObj(port -> "localhost:" + port).collect(Collectors.joining(","));
    }

    /** Of one of the brokers. */
    int port() {
        return ports[ports.length - 1];
    }

    /** Ends the broker that serves clients (kill -9). If there are others, returns when one of them serves. */
    public void kill() throws IOException, InterruptedException {
        killed = isCluster() ? awaitOwner() : 0;
        processes[killed].kill();
        if (isCluster()) {
            int before = killed;
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> {
                int owner = owner();
                return owner != NOBODY && owner != before;
            });
        }
    }

    /** Ends the owner (kill -9), and does not wait. */
    void killOnly() throws InterruptedException {
        killed = awaitOwner();
        processes[killed].kill();
    }

    /** Starts the broker that was killed, with its data, and on its port. */
    public void startAgain() throws IOException {
        launch(killed);
        awaitOwner();
    }

    private int awaitOwner() {
        return isCluster() ? Awaitility.await().atMost(Clients.PATIENCE).until(this::owner, id -> id != NOBODY) : 0;
    }

    /** The number of the broker that serves, as clients see it. */
    private int owner() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            Node controller = admin.describeCluster().controller().get(ASK_MILLIS, TimeUnit.MILLISECONDS);
            return controller == null ? NOBODY : controller.id() - 1;
        } catch (ExecutionException | TimeoutException e) {
            return NOBODY;
        }
    }

    @Override
    public void close() {
        for (ServerProcess process : processes) {
            if (process != null) {
                process.close();
            }
        }
    }
}

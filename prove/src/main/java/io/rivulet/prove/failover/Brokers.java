package io.rivulet.prove.failover;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.prove.history.HistoryLoad;
import io.rivulet.prove.load.Target;
import io.rivulet.prove.process.BrokerProcess;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three brokers that own one log by turns, each a process. Owned by: one thread. */
final class Brokers implements AutoCloseable {
    static final int COUNT = 3;
    /** The least that is allowed. */
    private static final int SESSION_MILLIS = 2_000;

    private static final int LONG_MILLIS = 600_000;
    /**
     * A client of a paused broker waits longer than a takeover takes, and none gives up before {@link Rounds} does.
     * Readers take several records at once, because a fetch is most of what a record costs them.
     */
    private static final Map<String, Object> CLIENTS = Map.of(
            "request.timeout.ms",
            7_000,
            "default.api.timeout.ms",
            LONG_MILLIS,
            "max.block.ms",
            LONG_MILLIS,
            "delivery.timeout.ms",
            LONG_MILLIS,
            "fetch.min.bytes",
            2_000,
            "fetch.max.wait.ms",
            200);

    /** With it, the records of a run fit in memory, and some clusters on two cores. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    private static final int NOBODY = -1;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Path scratch;
    private final String cluster;
    private final List<String> java;
    private final String classes;
    private final int[] ports = new int[COUNT];
    private final List<BrokerProcess> processes = new ArrayList<>();

    /** @param bug of all brokers */
    Brokers(Path scratch, String cluster, Bug bug) throws IOException {
        this.scratch = scratch;
        this.cluster = cluster;
        this.java = new ArrayList<>(List.of("-Xmx192m"));
        java.addAll(bug.java());
        this.classes = bug.classes();
        for (int i = 0; i < COUNT; i++) {
            ports[i] = Ports.free();
            processes.add(start(i));
        }
        for (BrokerProcess process : processes) {
            process.awaitReady();
        }
    }

    private BrokerProcess start(int broker) throws IOException {
        Map<String, String> keys = new HashMap<>(HistoryLoad.BROKER);
        keys.put("node.id", String.valueOf(broker + 1));
        keys.put("rivulet.cluster", cluster);
        keys.put("rivulet.cluster.failover", "true");
        keys.put("rivulet.cluster.session.timeout.ms", String.valueOf(SESSION_MILLIS));
        keys.put("listeners", "PLAINTEXT://localhost:" + ports[broker]);
        keys.put("num.partitions", "3");
        keys.put("log.cleaner.backoff.ms", "100");
        // so small that there are sweeps, checkpoints and merges
        keys.put("rivulet.tail.bytes", String.valueOf(16 << 20));
        Path home = Files.createDirectories(scratch.resolve("broker" + (broker + 1)));
        keys.put("log.dirs", home.resolve("data").toString());
        return BrokerProcess.startInCluster(home, java, classes, keys);
    }

    /** For clients that know all brokers. */
    Target target() {
        String servers = IntStream.range(0, COUNT)
                .mapToObj(broker -> "localhost:" + ports[broker])
                .collect(Collectors.joining(","));
        return new Target(servers, CLIENTS, PAUSE_NANOS);
    }

    int port(int broker) {
        return ports[broker];
    }

    BrokerProcess process(int broker) {
        return processes.get(broker);
    }

    /** Starts a broker again after its end, and does not wait. */
    void restart(int broker) throws IOException {
        processes.get(broker).close();
        processes.set(broker, start(broker));
    }

    /** Waits until a broker that was started relays or serves. */
    void awaitReady(int broker) throws IOException {
        processes.get(broker).awaitReady();
    }

    /** Which broker owns the log, as clients see it. */
    int awaitOwner() {
        return awaitOwner(broker -> true, broker -> true);
    }

    /** Waits until another broker than this one owns the log, as the others see it. */
    int awaitOwnerOtherThan(int paused) {
        return awaitOwner(broker -> broker != paused, broker -> broker != paused);
    }

    /** A broker that owns nothing passes the question on, and has no answer while nobody serves. */
    private int awaitOwner(IntPredicate asked, IntPredicate wanted) {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        for (int i = 0; System.nanoTime() - endNanos < 0; i++) {
            int broker = i % COUNT;
            int owner = asked.test(broker) ? owner(ports[broker]) : NOBODY;
            if (owner != NOBODY && wanted.test(owner)) {
                return owner;
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
        throw new IllegalStateException("nobody owns the log: " + said());
    }

    private static int owner(int port) {
        try (BrokerConnection broker = BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN)) {
            return broker.ask(ApiKey.DESCRIBE_CLUSTER, new DescribeClusterRequest(), DescribeClusterResponse.class)
                            .controllerId()
                    - 1;
        } catch (ClientException e) {
            return NOBODY;
        }
    }

    /** The last lines of all brokers. */
    String said() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < COUNT; i++) {
            try {
                String err = processes.get(i).err();
                text.append("\nbroker ")
                        .append(i + 1)
                        .append(": ")
                        .append(err.substring(Math.max(0, err.length() - 2000)));
            } catch (IOException e) {
                text.append(e);
            }
        }
        return text.toString();
    }

    /** What is wrong with those that must live; empty if nothing is. */
    String complaint() throws IOException {
        for (int i = 0; i < COUNT; i++) {
            if (!processes.get(i).isAlive()) {
                return "broker " + (i + 1) + " has ended: " + processes.get(i).err();
            }
        }
        return "";
    }

    @Override
    public void close() {
        processes.forEach(BrokerProcess::close);
    }
}

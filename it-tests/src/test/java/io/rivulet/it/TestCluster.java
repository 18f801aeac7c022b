package io.rivulet.it;

import io.rivulet.broker.Broker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** Brokers inside the test that own a log on bookies by turns. Stateless, but for the names of logs. */
final class TestCluster {
    /** The name of the log of each directory, for restarts. */
    private static final Map<Path, String> LOGS = new ConcurrentHashMap<>();

    private static final String FIRST_ID = "1";

    private TestCluster() {}

    /**
     * Starts brokers with these properties, each in a directory of its own. Only the last one has the ports of the
     * properties.
     *
     * @return the owner first
     */
    static List<Broker> start(Map<String, String> properties, int count) throws IOException {
        Path directory = Files.createDirectories(
                        Path.of(Objects.requireNonNull(properties.get("log.dirs"), "log.dirs")))
                .toAbsolutePath();
        String cluster = TestEngines.registry() + "/" + LOGS.computeIfAbsent(directory, any -> "log-" + LOGS.size());
        int ownerId = Integer.parseInt(properties.getOrDefault("node.id", FIRST_ID));
        List<Broker> brokers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Map<String, String> own = new HashMap<>(properties);
                own.put("rivulet.cluster", cluster);
                own.put("rivulet.cluster.failover", "true");
                own.put("node.id", String.valueOf(ownerId + i));
                own.put("log.dirs", directory.resolve("of-" + (ownerId + i)).toString());
                own.putIfAbsent("rivulet.http.listener", "localhost:0");
                if (i < count - 1) {
                    own.compute("listeners", (key, listeners) -> onAnyPort(listeners));
                }
                Broker broker = Broker.start(BrokerConfig.of(own), new FailureLatch());
                brokers.add(broker);
                if (i == 0) {
                    await(broker, body -> body.startsWith("ready") && !body.contains("belongs to"));
                } else {
                    await(broker, body -> body.contains("belongs to broker " + ownerId));
                }
            }
            return brokers;
        } catch (IOException | RuntimeException | Error e) {
            closeAfter(e, brokers);
            throw e;
        }
    }

    private static String onAnyPort(String listeners) {
        return listeners.replaceAll(":\\d+", ":0");
    }

    private static void await(Broker broker, Predicate<String> isReady) {
        int port = Objects.requireNonNull(broker.httpAddress()).getPort();
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> isReady.test(
                        HttpPage.get("http://localhost:" + port + "/readyz").body()));
    }

    private static void closeAfter(Throwable failure, List<Broker> brokers) {
        try {
            close(brokers);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Closes the owner last, so that no other one takes over. */
    static void close(List<Broker> brokers) throws IOException {
        for (int i = brokers.size() - 1; i >= 0; i--) {
            brokers.get(i).close();
        }
    }
}

package io.rivulet.it;

import io.rivulet.broker.Broker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A broker inside the test, on a free port of the loopback interface. With {@code -Drivulet.brokers=3}, it is a cluster
 * of three brokers, and its addresses are those of one that relays to the owner of the log.
 *
 * <p>Owned by: the test's thread.
 */
public final class TestBroker implements AutoCloseable {
    /** How many brokers there are in each test; 1 is a broker by itself. */
    static final int COUNT = Integer.getInteger("rivulet.brokers", 1);
    /** {@code -Drivulet.transport=epoll} chooses another one for brokers of tests, in a process of their own too. */
    static final String TRANSPORT = System.getProperty("rivulet.transport", "nio");

    /** The owner first. */
    private final List<Broker> brokers;

    private TestBroker(List<Broker> brokers) {
        this.brokers = brokers;
    }

    public static TestBroker start(Path directory) throws IOException {
        return start(directory, Map.of());
    }

    public static TestBroker start(Path directory, Map<String, String> properties) throws IOException {
        Map<String, String> all = new HashMap<>();
        all.put("listeners", "PLAINTEXT://localhost:0");
        all.put("log.dirs", directory.toString());
        all.put("rivulet.tail.bytes", String.valueOf(32 << 20));
        all.put("rivulet.cache.bytes", String.valueOf(4 << 20));
        all.put("rivulet.transport", TRANSPORT);
        all.putAll(properties);
        return new TestBroker(
                COUNT > 1
                        ? TestCluster.start(all, COUNT)
                        : List.of(Broker.start(BrokerConfig.of(all), new FailureLatch())));
    }

    private Broker owner() {
        return brokers.get(0);
    }

    /** For the bootstrap.servers of a client. */
    public String bootstrapServers() {
        return "localhost:" + addresses().get(0).getPort();
    }

    /** The addresses for clients, one for each listener. */
    public List<InetSocketAddress> addresses() {
        return brokers.get(brokers.size() - 1).addresses();
    }

    /** The port of the first listener of the broker that leads each partition and coordinates everything. */
    int leaderPort() {
        return owner().addresses().get(0).getPort();
    }

    /** Where pages for operators are; null if there are none. */
    public @Nullable InetSocketAddress httpAddress() {
        return owner().httpAddress();
    }

    /** Where the console alone is; null if it has no listener of its own. */
    public @Nullable InetSocketAddress consoleAddress() {
        return owner().consoleAddress();
    }

    public int queues() {
        return owner().queues();
    }

    /** The failure that stopped a broker, or null. */
    public @Nullable Throwable failure() {
        return brokers.stream()
                .map(Broker::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() throws IOException {
        TestCluster.close(brokers);
    }
}

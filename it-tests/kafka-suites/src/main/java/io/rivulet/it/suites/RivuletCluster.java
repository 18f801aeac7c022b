package io.rivulet.it.suites;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of a test: one process of Rivulet, no matter how many brokers the test asked for. All brokers have the
 * same address.
 *
 * <p>Guarded by: its monitor.
 */
public final class RivuletCluster implements AutoCloseable {
    /** Of the newest cluster. {@link OneReplica} has only the topic, not the cluster. */
    private static volatile int newestBrokers = 1;

    private final int brokers;
    private final int port;
    private final Map<String, String> properties;
    private final Map<String, Object> client;
    private @Nullable Path directory;
    private @Nullable BrokerProcess process;
    private @Nullable Admin admin;

    public RivuletCluster(int brokers, Map<?, ?> wanted) {
        this(brokers, wanted, Map.of());
    }

    /** @param client what clients of the cluster need to log in; empty if they don't */
    RivuletCluster(int brokers, Map<?, ?> wanted, Map<String, Object> client) {
        this.client = client;
        this.brokers = Math.max(1, brokers);
        remember(this.brokers);
        port = ServerProperties.port(wanted);
        properties = ServerProperties.of(wanted, this.brokers);
    }

    private static void remember(int brokers) {
        newestBrokers = brokers;
    }

    static int newestBrokers() {
        return newestBrokers;
    }

    public int brokers() {
        return brokers;
    }

    int port() {
        return port;
    }

    public List<Integer> ports() {
        return Collections.nCopies(brokers, port);
    }

    /** The properties of the test, without listeners and directories. */
    Map<String, String> properties() {
        return properties;
    }

    public String bootstrapServers() {
        return String.join(",", Collections.nCopies(brokers, "localhost:" + port));
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    public synchronized void start() {
        if (!isAlive()) {
            process = BrokerProcess.start(ServerProperties.placed(properties, port, directory(), !client.isEmpty()));
        }
    }

    /** It stays while the broker is stopped. */
    private Path directory() {
        if (directory == null) {
            try {
                directory = Files.createTempDirectory("rivulet-suites");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return directory;
    }

    /** Stops the only broker. */
    public synchronized void stop() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
        if (process != null) {
            process.stop();
            process = null;
        }
    }

    /** Stops one broker. Where others should go on, the test needs more than one. */
    public void stopOne() {
        if (brokers > 1) {
            throw new UsesInternals("a second broker that goes on");
        }
        stop();
    }

    @Override
    public synchronized void close() {
        stop();
        if (directory == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized Admin admin() {
        if (admin == null) {
            Map<String, Object> settings = new HashMap<>(client);
            settings.put("bootstrap.servers", "localhost:" + port);
            admin = Admin.create(settings);
        }
        return admin;
    }

    public String clusterId() {
        return get(admin().describeCluster().clusterId());
    }

    public Optional<TopicDescription> topic(String name) {
        if (!topicIds().containsKey(name)) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(
                    get(admin().describeTopics(List.of(name)).allTopicNames()).get(name));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        }
    }

    Map<String, Uuid> topicIds() {
        Map<String, Uuid> ids = new HashMap<>();
        for (TopicListing topic : get(
                admin().listTopics(new ListTopicsOptions().listInternal(true)).listings())) {
            ids.put(topic.name(), topic.topicId());
        }
        return ids;
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

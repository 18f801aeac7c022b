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
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.authorizer.Authorizer;
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
    private final Listeners listeners;
    private final ListenerProperties placed;
    private final Map<String, String> properties;
    private final List<String> scramUsers;
    private final List<PrincipalProxy> proxies;
    private @Nullable Path directory;
    private @Nullable BrokerProcess process;
    private @Nullable Admin admin;

    public RivuletCluster(int brokers, Map<?, ?> wanted) {
        this(brokers, wanted, Listeners.of(wanted, Listeners.DEFAULT, SecurityProtocol.PLAINTEXT), List.of());
    }

    /** @param scramUsers as options of {@code --add-scram} */
    RivuletCluster(int brokers, Map<?, ?> wanted, Listeners listeners, List<String> scramUsers) {
        this.brokers = Math.max(1, brokers);
        remember(this.brokers);
        this.listeners = listeners;
        this.scramUsers = scramUsers;
        placed = ListenerProperties.of(wanted, listeners);
        properties = ServerProperties.of(wanted, this.brokers, listeners);
        proxies = placed.startProxies();
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

    Listeners listeners() {
        return listeners;
    }

    int port() {
        return listeners.first().port();
    }

    public List<Integer> ports() {
        return Collections.nCopies(brokers, port());
    }

    /** The properties of the test, without listeners and directories. */
    Map<String, String> properties() {
        return properties;
    }

    public String bootstrapServers() {
        return String.join(",", Collections.nCopies(brokers, "localhost:" + port()));
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    public synchronized void start() {
        if (!isAlive()) {
            process = BrokerProcess.start(ServerProperties.placed(placed.added(properties), directory()), scramUsers);
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
        proxies.forEach(PrincipalProxy::close);
        if (directory == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A client that may do everything, until the broker is stopped. */
    synchronized Admin admin() {
        if (admin == null) {
            admin = Admin.create(placed.client());
        }
        return admin;
    }

    /** Lets the broker create its internal topic, which no client can create. */
    void findCoordinator() {
        findCoordinator(admin());
    }

    /** Whether the broker that runs has closed a connection whose login had ended. */
    synchronized boolean hasClosedExpiredLogin() {
        return process != null && process.hasLogged("its login has expired");
    }

    /** Looks for the coordinator of a group that does not exist. */
    static void findCoordinator(Admin admin) {
        try {
            get(admin.describeConsumerGroups(List.of("none")).all());
        } catch (GroupIdNotFoundException e) {
            // As expected.
        }
    }

    /** The rules, if the test wants an authorizer. */
    Optional<Authorizer> authorizer() {
        return placed.hasRules() ? Optional.of(new AclView(admin(), placed.typeOfPrincipals())) : Optional.empty();
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

    static <T> T get(KafkaFuture<T> future) {
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

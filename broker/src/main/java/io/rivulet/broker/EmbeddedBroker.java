package io.rivulet.broker;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.TopicAtStart;
import io.rivulet.broker.tls.Encryption;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker for a test, in the test's own process:
 *
 * <pre>{@code
 * try (EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp().topic("orders", 3).start()) {
 *     ... broker.bootstrapServers() ...
 * }
 * }</pre>
 *
 * <p>It listens on a free port of the loopback interface. Its files are in a temporary directory and are never forced
 * to the disk, so most of them stay in memory. {@link #close} frees memory, threads, port and directory. Several may
 * run at the same time. Thread-safe.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private final BrokerConfig config;
    private final Path directory;
    private final Plan plan;
    private final boolean encrypted;
    private final Map<String, String> users;
    private volatile FailureLatch failures;
    private volatile Broker broker;

    private EmbeddedBroker(BrokerConfig config, Path directory, Plan plan) throws IOException {
        this.config = config;
        this.directory = directory;
        this.plan = plan;
        this.encrypted = plan.encrypted;
        this.users = new LinkedHashMap<>(plan.users);
        this.failures = plan.failures();
        this.broker = Broker.start(config, failures);
    }

    /** The configuration of a broker to start. Owned by one thread. */
    public static final class Plan {

        private final Map<String, String> properties = new HashMap<>();
        private final Map<String, String> users = new LinkedHashMap<>();
        private boolean encrypted;
        private Consumer<Throwable> listener = failure -> {};

        private Plan() {
            with("rivulet.http.listener", "none");
            with("rivulet.durability", "os");
            with("group.initial.rebalance.delay.ms", "0");
            with("rivulet.tail.bytes", String.valueOf(16 << 20));
            with("rivulet.cache.bytes", String.valueOf(4 << 20));
        }

        /** Sets a key of the broker's configuration, by Kafka's name. */
        public Plan with(String key, String value) {
            properties.put(key, value);
            return this;
        }

        /** Encrypts connections, with a certificate that the broker makes: {@link EmbeddedBroker#certificate}. */
        public Plan withTls() {
            encrypted = true;
            return with("rivulet.tls", "self-signed");
        }

        /** Adds a user. Then clients must log in, with SCRAM or PLAIN: {@link EmbeddedBroker#clientSettings()}. */
        public Plan withUser(String name, String password) {
            if (name.contains(":") || (name + password).contains(",")) {
                throw new IllegalArgumentException(
                        "the user " + name + ": a name has no comma and no colon, and a password has no comma");
            }
            users.put(name, password);
            properties.merge("rivulet.users", name + ":" + password, (before, more) -> before + "," + more);
            return this;
        }

        /** Adds a topic that exists when the broker serves clients. */
        public Plan topic(String name, int partitions) {
            properties.merge("rivulet.create.topics", name + ":" + partitions, (before, more) -> before + "," + more);
            return this;
        }

        /**
         * Sets a listener that is called once, on its own thread, if the broker fails. Then the broker stops serving
         * and must be closed. It never ends its process.
         */
        public Plan onFailure(Consumer<Throwable> newListener) {
            listener = newListener;
            return this;
        }

        /** Returns when the broker serves clients. */
        public EmbeddedBroker start() {
            try {
                Path directory = Files.createTempDirectory("rivulet-embedded");
                try {
                    Map<String, String> all = new HashMap<>(properties);
                    all.put("log.dirs", directory.toString());
                    all.putIfAbsent("listeners", protocol(encrypted, !users.isEmpty()) + "://localhost:0");
                    return new EmbeddedBroker(BrokerConfig.of(all), directory, this);
                } catch (IOException | RuntimeException e) {
                    delete(directory);
                    throw e;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private FailureLatch failures() {
            FailureLatch failures = new FailureLatch();
            AtomicBoolean notified = new AtomicBoolean();
            failures.onFailure(() -> {
                Throwable cause = failures.cause();
                if (cause != null && notified.compareAndSet(false, true)) {
                    Thread notifier = new Thread(() -> listener.accept(cause), "broker-failure");
                    notifier.setDaemon(true);
                    notifier.start();
                }
            });
            return failures;
        }
    }

    /** The failure that stopped the broker, or null. */
    public @Nullable Throwable failure() {
        return broker.failure();
    }

    /** For tests: as if one of its threads had failed. */
    void fail(Throwable failure) {
        failures.fail(failure);
    }

    public static Plan inMemoryOrTemp() {
        return new Plan();
    }

    /** For the bootstrap.servers of the client under test. */
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /**
     * What a client needs to connect: bootstrap.servers and, with {@link Plan#withTls} and {@link Plan#withUser}, the
     * keys that belong to them. It logs in as the first user.
     */
    public Map<String, Object> clientSettings() {
        Map<String, Object> settings = connectionSettings();
        users.keySet().stream().findFirst().ifPresent(first -> settings.putAll(login(first)));
        return settings;
    }

    /**
     * As {@link #clientSettings()}, for another user.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public Map<String, Object> clientSettings(String user) {
        Map<String, Object> settings = connectionSettings();
        settings.putAll(login(user));
        return settings;
    }

    private Map<String, Object> connectionSettings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("bootstrap.servers", bootstrapServers());
        settings.put("security.protocol", protocol(encrypted, !users.isEmpty()));
        if (encrypted) {
            settings.put("ssl.truststore.type", "PEM");
            settings.put("ssl.truststore.location", certificate().toString());
        }
        return settings;
    }

    private Map<String, Object> login(String user) {
        String password = users.get(user);
        if (password == null) {
            throw new IllegalArgumentException("there is no user " + user + " but " + users.keySet());
        }
        return Map.of(
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + quoted(user)
                        + "\" password=\"" + quoted(password) + "\";");
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private static String protocol(boolean encrypted, boolean login) {
        return (login ? "SASL_" : "") + (encrypted ? "SSL" : "PLAINTEXT");
    }

    /** Creates the topic, unless it exists. */
    public void createTopic(String name, int partitions) {
        createTopics(name + ":" + partitions);
    }

    /**
     * Creates those of the topics that do not exist.
     *
     * @param topics as the key rivulet.create.topics has them: name:partitions, separated by commas
     */
    public void createTopics(String topics) {
        try {
            broker.createTopics(TopicAtStart.parse(topics, true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The file with the certificate that clients must trust, in PEM, such as for ssl.truststore.location. Needs {@link
     * Plan#withTls}.
     */
    public Path certificate() {
        return Encryption.certificate(directory);
    }

    /** The address of the pages for operators. Needs the key rivulet.http.listener, which is none by default. */
    public String httpAddress() {
        InetSocketAddress address = broker.httpAddress();
        if (address == null) {
            throw new IllegalStateException("the key rivulet.http.listener is not set");
        }
        return "http://localhost:" + address.getPort();
    }

    /** Closes the broker and starts it again with its data, on another free port unless the listeners name one. */
    public synchronized void restart() {
        try {
            broker.close();
            failures = plan.failures();
            broker = Broker.start(config, failures);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            broker.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> below = Files.walk(directory)) {
            List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            return; // already closed
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

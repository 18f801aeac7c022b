package io.rivulet.junit;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A broker for a test, in the test's own process:
 *
 * <pre>{@code
 * try (RivuletBroker broker = RivuletBroker.inMemoryOrTemp().topic("orders", 3).start()) {
 *     ... broker.bootstrapServers() ...
 * }
 * }</pre>
 *
 * <p>It listens on a free port of the loopback interface. Its files are in a temporary directory and are never forced
 * to the disk, so most of them stay in memory. {@link #close} frees memory, threads, port and directory. Several may
 * run at the same time. Thread-safe.
 *
 * <p>Its classes and libraries are apart from those of the test ({@link Libraries}).
 */
public interface RivuletBroker extends AutoCloseable {
    /** The configuration of a broker to start. Owned by one thread. */
    interface Plan {
        /** Sets a key of the broker's configuration, by Kafka's name. */
        Plan with(String key, String value);

        /** Encrypts connections, with a certificate that the broker makes: {@link RivuletBroker#certificate}. */
        Plan withTls();

        /** Adds a user. Then clients must log in, with SCRAM or PLAIN: {@link RivuletBroker#clientSettings()}. */
        Plan withUser(String name, String password);

        /** Adds a topic that exists when the broker serves clients. */
        Plan topic(String name, int partitions);

        /**
         * Sets a listener that is called once, on its own thread, if the broker fails. Then the broker stops serving
         * and must be closed. It never ends its process.
         */
        Plan onFailure(Consumer<Throwable> listener);

        /** Returns when the broker serves clients. */
        RivuletBroker start();
    }

    static Plan inMemoryOrTemp() {
        return Libraries.newPlan();
    }

    /** For the bootstrap.servers of the client under test. */
    String bootstrapServers();

    /**
     * What a client needs to connect: bootstrap.servers and, with {@link Plan#withTls} and {@link Plan#withUser}, the
     * keys that belong to them. It logs in as the first user.
     */
    Map<String, Object> clientSettings();

    /**
     * As {@link #clientSettings()}, for another user.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    Map<String, Object> clientSettings(String user);

    /** Creates the topic, unless it exists. */
    void createTopic(String name, int partitions);

    /**
     * Creates those of the topics that do not exist.
     *
     * @param topics as the key rivulet.create.topics has them: name:partitions, separated by commas
     */
    void createTopics(String topics);

    /**
     * The file with the certificate that clients must trust, in PEM, such as for ssl.truststore.location. Needs {@link
     * Plan#withTls}.
     */
    Path certificate();

    /** The address of the pages for operators. Needs the key rivulet.http.listener, which is none by default. */
    String httpAddress();

    /** The failure that stopped the broker, or null. */
    @Nullable
    Throwable failure();

    @Override
    void close();
}

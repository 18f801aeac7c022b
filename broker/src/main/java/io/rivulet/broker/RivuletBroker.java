package io.rivulet.broker;

import io.rivulet.broker.config.BrokerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A broker for a test, in the test's own process:
 *
 * <pre>{@code
 * try (RivuletBroker broker = RivuletBroker.inMemoryOrTemp().topic("orders", 3).start()) {
 *     ... broker.bootstrapServers() ...
 * }
 * }</pre>
 *
 * <p>It listens on a free port of the loopback interface. Its files lie in a temporary directory and are never forced to the disk, so
 * that they mostly stay in memory; {@link #close} frees memory, threads, port and directory. Several may run at once. Thread-safe.
 */
public final class RivuletBroker implements AutoCloseable {
    private final Broker broker;
    private final Path directory;

    private RivuletBroker(Broker broker, Path directory) {
        this.broker = broker;
        this.directory = directory;
    }

    /** What is started, and how. Owned by: the thread that puts it together. */
    public static final class Plan {
        private static final String MIB_16 = String.valueOf(16 << 20);
        private static final String MIB_4 = String.valueOf(4 << 20);

        private final Map<String, String> properties = new HashMap<>(Map.of(
                "listeners",
                "PLAINTEXT://localhost:0",
                "rivulet.durability",
                "os",
                "rivulet.tail.bytes",
                MIB_16,
                "rivulet.cache.bytes",
                MIB_4));

        private Plan() {}

        /** Sets a key of the broker's configuration, by Kafka's name. */
        public Plan with(String key, String value) {
            properties.put(key, value);
            return this;
        }

        /** A topic that is there from the start. */
        public Plan topic(String name, int partitions) {
            properties.merge("rivulet.create.topics", name + ":" + partitions, (before, more) -> before + "," + more);
            return this;
        }

        /** Returns when clients are served. */
        public RivuletBroker start() {
            try {
                Path directory = Files.createTempDirectory("rivulet-embedded");
                try {
                    Map<String, String> all = new HashMap<>(properties);
                    all.put("log.dirs", directory.toString());
                    return new RivuletBroker(Broker.start(BrokerConfig.of(all)), directory);
                } catch (IOException | RuntimeException e) {
                    delete(directory);
                    throw e;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public static Plan inMemoryOrTemp() {
        return new Plan();
    }

    /** For the bootstrap.servers of the client under test. */
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    @Override
    public void close() {
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
            return; // closed already
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

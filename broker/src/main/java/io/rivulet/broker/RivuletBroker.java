package io.rivulet.broker;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
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

    private final FailureLatch failures;

    private RivuletBroker(Broker broker, Path directory, FailureLatch failures) {
        this.broker = broker;
        this.failures = failures;
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

        private Consumer<Throwable> listener = failure -> {};

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

        /**
         * Called once, on a thread of its own, if the broker fails: it serves no more then, and is to be closed. It never ends its process.
         */
        public Plan onFailure(Consumer<Throwable> newListener) {
            listener = newListener;
            return this;
        }

        /** Returns when clients are served. */
        public RivuletBroker start() {
            try {
                Path directory = Files.createTempDirectory("rivulet-embedded");
                try {
                    Map<String, String> all = new HashMap<>(properties);
                    all.put("log.dirs", directory.toString());
                    return start(BrokerConfig.of(all), directory);
                } catch (IOException | RuntimeException e) {
                    delete(directory);
                    throw e;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private RivuletBroker start(BrokerConfig config, Path directory) throws IOException {
            FailureLatch failures = failures();
            return new RivuletBroker(Broker.start(config, failures), directory, failures);
        }

        private FailureLatch failures() {
            FailureLatch failures = new FailureLatch();
            AtomicBoolean told = new AtomicBoolean();
            failures.onFailure(() -> {
                Throwable cause = failures.cause();
                if (cause != null && told.compareAndSet(false, true)) {
                    Thread teller = new Thread(() -> listener.accept(cause), "broker-failure");
                    teller.setDaemon(true);
                    teller.start();
                }
            });
            return failures;
        }
    }

    /** Why it serves no more; null as long as all is well. */
    public @Nullable Throwable failure() {
        return broker.failure();
    }

    /** For tests: as if one of its threads had met this. */
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

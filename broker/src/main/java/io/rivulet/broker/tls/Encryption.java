package io.rivulet.broker.tls;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.ConsoleSettings;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.config.LiveSettings;
import io.rivulet.broker.config.TlsSettings;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OnDemandThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The encrypted listeners of a broker, with their keys. Thread-safe. */
public final class Encryption implements AutoCloseable {
    /** The folder in the data directory for a certificate that the broker has made. */
    private static final String FOLDER = "tls";

    private static final Logger LOG = LoggerFactory.getLogger(Encryption.class);
    private static final long MAX_HANDSHAKES = 256;
    /** Ten times what one takes. */
    private static final long HEAP_OF_HANDSHAKE = 1 << 20;

    private static final long KEEP_SECONDS = 60;

    /** What encrypts. Null without an encrypted listener. */
    private final @Nullable Parts parts;

    private record Parts(
            Handshakes handshakes,
            ThreadPoolExecutor keyReader,
            @Nullable Path ownKey) {
        TlsSettings usable(TlsSettings settings) {
            return ownKey == null ? settings : settings.withPem(ownKey);
        }
    }

    private final Map<String, TlsListener> listeners = new LinkedHashMap<>();
    private volatile boolean serving;

    /**
     * Reads the keys of all encrypted listeners.
     *
     * @throws IOException if some can't be used
     */
    public Encryption(BrokerConfig config, FailureLatch failures) throws IOException {
        Map<String, TlsSettings> encrypted = encrypted(config);
        parts = encrypted.isEmpty() ? null : parts(config, encrypted.values(), failures);
        for (Map.Entry<String, TlsSettings> each : encrypted.entrySet()) {
            if (parts != null) {
                TlsSettings settings = parts.usable(each.getValue());
                listeners.put(
                        each.getKey(), new TlsListener(each.getKey(), settings, parts.handshakes(), parts.keyReader()));
            }
        }
    }

    /** The settings of each encrypted listener, by its name. */
    private static Map<String, TlsSettings> encrypted(BrokerConfig config) {
        Map<String, TlsSettings> encrypted = new LinkedHashMap<>();
        for (Listener listener : config.listeners()) {
            if (listener.tls() != null) {
                encrypted.put(listener.name(), listener.tls());
            }
        }
        TlsSettings ofConsole = config.http().console().tls();
        if (ofConsole != null) {
            encrypted.put(ConsoleSettings.LISTENER_NAME, ofConsole);
        }
        return encrypted;
    }

    private static Parts parts(BrokerConfig config, Collection<TlsSettings> encrypted, FailureLatch failures)
            throws IOException {
        boolean ownCertificate = encrypted.stream().anyMatch(TlsSettings::isSelfSigned);
        LOG.info("Connections are encrypted by {}", Engine.description());
        return new Parts(
                new Handshakes(
                        (int) Math.min(MAX_HANDSHAKES, Runtime.getRuntime().maxMemory() / HEAP_OF_HANDSHAKE),
                        config.networkThreads(),
                        failures),
                OnDemandThreads.of(1, KEEP_SECONDS, work -> failures.thread("tls-keys", work)),
                ownCertificate ? ownCertificate(config) : null);
    }

    /** The file with key and certificate, which the broker makes. */
    private static Path ownCertificate(BrokerConfig config) throws IOException {
        Set<String> hosts = new LinkedHashSet<>(List.of("localhost", "127.0.0.1"));
        config.listeners().forEach(listener -> hosts.add(listener.advertisedHost()));
        hosts.addAll(config.http().console().hosts());
        Path key = OwnCertificate.ensure(config.dataDirectory().resolve(FOLDER), hosts, Instant.now());
        LOG.info(
                "The broker has a certificate of its own. Clients must trust {}",
                certificate(config.dataDirectory()).toAbsolutePath());
        return key;
    }

    /** The file with the certificate that a broker with this data directory has made. */
    public static Path certificate(Path dataDirectory) {
        return dataDirectory.resolve(FOLDER).resolve(OwnCertificate.CERTIFICATE);
    }

    /** Null if the listener is not encrypted. */
    public @Nullable TlsListener find(String listener) {
        return listeners.get(listener);
    }

    /** When the first certificate of each listener ends. */
    public Map<String, Instant> certificateEnds() {
        Map<String, Instant> ends = new LinkedHashMap<>();
        listeners.forEach((name, listener) -> ends.put(name, listener.expiry()));
        return ends;
    }

    // ---- keys that are set while the broker runs ----

    /**
     * Completes when the keys of a change that is not stored yet were read. Fails if they can't be used.
     *
     * @throws ConfigException if a listener would have no keys, or get them in two ways
     */
    public CompletionStage<?> tryOut(LiveSettings next) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        if (parts != null) {
            listeners.forEach((name, listener) -> all.add(listener.tryOut(parts.usable(next.tls(name)))));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Uses the keys that were set. Log-writer thread. */
    public void changed(LiveSettings now) {
        forEach(now, serving ? TlsListener::change : TlsListener::remember);
    }

    /** Reads keys that were set before the start. Called before the first connection. */
    public void serve() {
        listeners.values().forEach(TlsListener::readAgain);
        serving = true;
    }

    private void forEach(LiveSettings now, BiConsumer<TlsListener, TlsSettings> action) {
        if (parts != null) {
            listeners.forEach((name, listener) -> {
                try {
                    action.accept(listener, parts.usable(now.tls(name)));
                } catch (ConfigException e) {
                    // The file of the configuration has changed since they were set.
                    LOG.warn("Keys that were set while the broker ran have no effect: {}", e.getMessage());
                }
            });
        }
    }

    @Override
    public void close() {
        if (parts != null) {
            parts.handshakes().close();
            parts.keyReader().shutdownNow();
        }
    }
}

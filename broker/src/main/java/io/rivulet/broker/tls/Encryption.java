package io.rivulet.broker.tls;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.config.TlsSettings;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    private final @Nullable Handshakes handshakes;
    private final Map<String, TlsListener> listeners = new HashMap<>();

    /**
     * Reads the keys of all encrypted listeners.
     *
     * @throws IOException if some can't be used
     */
    public Encryption(BrokerConfig config, FailureLatch failures) throws IOException {
        handshakes = config.listeners().stream().allMatch(listener -> listener.tls() == null)
                ? null
                : new Handshakes(
                        (int) Math.min(MAX_HANDSHAKES, Runtime.getRuntime().maxMemory() / HEAP_OF_HANDSHAKE),
                        config.networkThreads(),
                        failures);
        for (Listener listener : config.listeners()) {
            TlsSettings settings = listener.tls();
            if (settings != null && handshakes != null) {
                TlsSettings usable = settings.isSelfSigned() ? settings.withPem(ownCertificate(config)) : settings;
                listeners.put(listener.name(), new TlsListener(listener.name(), usable, handshakes));
            }
        }
    }

    /** The file with key and certificate. */
    private static Path ownCertificate(BrokerConfig config) throws IOException {
        Set<String> hosts = new LinkedHashSet<>(List.of("localhost", "127.0.0.1"));
        config.listeners().forEach(listener -> hosts.add(listener.advertisedHost()));
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

    @Override
    public void close() {
        if (handshakes != null) {
            handshakes.close();
        }
    }
}

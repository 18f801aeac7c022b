package io.rivulet.broker.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.rivulet.broker.config.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts the connections of one listener. When a connection comes, and at most once a second, it looks whether the
 * files of its keys have changed, and reads them again. Open connections keep the keys that they began with. If the new
 * files can't be used, it goes on with the old ones.
 *
 * <p>Thread-safe.
 */
public final class TlsListener {
    private static final Logger LOG = LoggerFactory.getLogger(TlsListener.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A session takes some kilobytes. Clients of TLS 1.3 keep theirs themselves. */
    private static final long MAX_SESSIONS = 1000;

    private final String name;
    private final TlsSettings settings;
    private final Handshakes handshakes;
    private volatile Loaded loaded;
    /** Guarded by {@code this}. */
    private long lookedNanos = System.nanoTime();
    /** Guarded by {@code this}. */
    private boolean looking;

    /** @param files the versions of the files that it was made from */
    private record Loaded(SslContext context, Instant expiry, List<FileVersion> files) {}

    /** Of a file that is missing, everything but its path is 0. */
    private record FileVersion(
            Path path,
            long bytes,
            long modifiedMillis,
            @Nullable Object identity) {}

    /**
     * Reads keys and certificates.
     *
     * @throws IOException if they can't be used; the message says which file and why
     */
    public TlsListener(String name, TlsSettings settings, Handshakes handshakes) throws IOException {
        this.name = name;
        this.settings = settings;
        this.handshakes = handshakes;
        this.loaded = load();
    }

    /**
     * Makes the connection an encrypted one. It must not have read anything, and is not read before its handshake has
     * its turn.
     */
    public void encrypt(Channel channel) {
        look();
        channel.pipeline().addLast("handshake", new HandshakeTurn(handshakes, () -> loaded.context()));
        channel.pipeline().addLast("pace", new PacedWrites());
    }

    /** When the first certificate of the listener ends. */
    public Instant expiry() {
        return loaded.expiry();
    }

    private Loaded load() throws IOException {
        List<FileVersion> files = versions();
        KeyMaterial material = KeyMaterial.read(settings);
        SslContextBuilder builder = SslContextBuilder.forServer(material.keys())
                .protocols(settings.protocols())
                .clientAuth(clientAuth())
                .sessionCacheSize(MAX_SESSIONS);
        if (material.trust() != null) {
            builder.trustManager(material.trust());
        }
        if (!settings.ciphers().isEmpty()) {
            builder.ciphers(settings.ciphers());
        }
        try {
            return new Loaded(builder.build(), material.expiry(), files);
        } catch (IOException | RuntimeException e) {
            throw new IOException("listener " + name + " can't be encrypted: " + e.getMessage(), e);
        }
    }

    private ClientAuth clientAuth() {
        return switch (settings.clientAuth()) {
            case NONE -> ClientAuth.NONE;
            case REQUESTED -> ClientAuth.OPTIONAL;
            case REQUIRED -> ClientAuth.REQUIRE;
        };
    }

    // ---- files that change ----

    private List<FileVersion> versions() {
        return Stream.of(settings.keys().location(), settings.trust().location())
                .filter(location -> !location.isEmpty())
                .map(location -> version(Path.of(location)))
                .toList();
    }

    private static FileVersion version(Path path) {
        try {
            FileTime modified = Files.getLastModifiedTime(path);
            Object inode = Files.getAttribute(path, "unix:ino");
            return new FileVersion(path, Files.size(path), modified.toMillis(), inode);
        } catch (IOException | UnsupportedOperationException e) {
            return new FileVersion(path, 0, 0, null);
        }
    }

    private void look() {
        synchronized (this) {
            if (looking || System.nanoTime() - lookedNanos < LOOK_NANOS) {
                return;
            }
            looking = true;
        }
        handshakes.workers().execute(() -> {
            try {
                reloadIfChanged();
            } finally {
                synchronized (this) {
                    looking = false;
                    lookedNanos = System.nanoTime();
                }
            }
        });
    }

    private void reloadIfChanged() {
        Loaded before = loaded;
        List<FileVersion> now = versions();
        if (now.equals(before.files())) {
            return;
        }
        try {
            loaded = load();
            LOG.info("Listener {} has new keys, valid until {}", name, loaded.expiry());
        } catch (IOException e) {
            // Tried again when they have changed once more.
            loaded = new Loaded(before.context(), before.expiry(), now);
            LOG.warn("Listener {} keeps its keys, because the new ones can't be used: {}", name, e.getMessage());
        }
    }
}

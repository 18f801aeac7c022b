package io.rivulet.broker.tls;

import io.netty.channel.Channel;
import io.rivulet.broker.config.TlsSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.failure.CheckedFuture;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts the connections of one listener. When a connection comes, and at most once a second, it looks whether the
 * files of its keys have changed, and reads them again. Keys also change by new settings. Open connections keep the
 * keys that they began with. If new keys can't be used, it goes on with the old ones.
 *
 * <p>Thread-safe. Keys are read by one thread, after the start.
 */
public final class TlsListener {
    private static final Logger LOG = LoggerFactory.getLogger(TlsListener.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration SOON = Duration.ofDays(30);
    private static final Duration BETWEEN_WARNINGS = Duration.ofDays(1);

    private final String name;
    private final TlsSettings atStart;
    private final Handshakes handshakes;
    private final Executor keyReader;
    private volatile LoadedKeys loaded;
    /** Guarded by {@code this}. */
    private TlsSettings wanted;
    /** Keys of a change that is not stored yet. Guarded by {@code this}. */
    private @Nullable LoadedKeys tried;
    /** Guarded by {@code this}. */
    private long lookedNanos = System.nanoTime();
    /** Guarded by {@code this}. */
    private boolean looking;
    /** Owned by the thread that reads keys. */
    private Instant warned = Instant.MIN;

    /**
     * Reads keys and certificates.
     *
     * @param keyReader runs one task after another
     * @throws IOException if they can't be used; the message says which file and why
     */
    public TlsListener(String name, TlsSettings settings, Handshakes handshakes, Executor keyReader)
            throws IOException {
        this.name = name;
        this.atStart = settings;
        this.handshakes = handshakes;
        this.keyReader = keyReader;
        this.wanted = settings;
        this.loaded = LoadedKeys.read(name, settings);
    }

    /**
     * Makes the connection an encrypted one. It must not have read anything, and is not read before its handshake has
     * its turn.
     */
    public void encrypt(Channel channel) {
        look();
        channel.pipeline().addLast("handshake", new HandshakeTurn(handshakes, () -> loaded.context()));
        if (atStart.clientAuth() != TlsSettings.ClientAuth.NONE) {
            channel.pipeline().addLast("certificate", new ClientCertificate(atStart.principals()));
        }
        channel.pipeline().addLast("pace", new PacedWrites());
    }

    /** When the first certificate of the listener ends. */
    public Instant expiry() {
        return loaded.expiry();
    }

    // ---- new settings ----

    /**
     * Reads the keys of a change that is not stored yet; other settings do not change. Fails with a {@link
     * RefusedException} if they can't be used.
     */
    CompletableFuture<?> tryOut(TlsSettings others) {
        TlsSettings settings = atStart.withKeysOf(others);
        if (settings.hasKeysOf(wanted())) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> done = new CheckedFuture<>();
        keyReader.execute(() -> {
            try {
                keep(LoadedKeys.read(name, settings));
                done.complete(null);
            } catch (IOException e) {
                done.completeExceptionally(
                        new RefusedException(ErrorCode.INVALID_REQUEST, "listener " + name + ": " + e.getMessage()));
            }
        });
        return done;
    }

    private synchronized void keep(LoadedKeys keys) {
        tried = keys;
    }

    private synchronized TlsSettings wanted() {
        return wanted;
    }

    /** Uses the keys of the settings: at once if they were tried last. Does not block. */
    void change(TlsSettings others) {
        TlsSettings settings = atStart.withKeysOf(others);
        synchronized (this) {
            if (settings.hasKeysOf(wanted)) {
                return;
            }
            wanted = settings;
            if (tried != null && settings.hasKeysOf(tried.settings())) {
                loaded = tried;
            }
            tried = null;
        }
        keyReader.execute(this::readAgain);
    }

    /** The same before there is a connection, when the keys in between do not matter. */
    synchronized void remember(TlsSettings others) {
        wanted = atStart.withKeysOf(others);
    }

    // ---- files that change ----

    private void look() {
        synchronized (this) {
            if (looking || System.nanoTime() - lookedNanos < LOOK_NANOS) {
                return;
            }
            looking = true;
        }
        keyReader.execute(() -> {
            try {
                readAgain();
            } finally {
                synchronized (this) {
                    looking = false;
                    lookedNanos = System.nanoTime();
                }
            }
        });
    }

    /** Reads the keys if their settings or files have changed. */
    void readAgain() {
        TlsSettings settings = wanted();
        LoadedKeys before = loaded;
        if (!before.isOf(settings)) {
            try {
                LoadedKeys now = LoadedKeys.read(name, settings);
                use(now);
                LOG.info("Listener {} has new keys, valid until {}", name, now.expiry());
            } catch (IOException e) {
                // Tried again when they have changed once more.
                use(before.insteadOf(settings));
                LOG.warn("Listener {} keeps its keys, because the new ones can't be used: {}", name, e.getMessage());
            }
        }
        warnOfEnd(Instant.now());
    }

    private synchronized void use(LoadedKeys keys) {
        if (keys.settings().hasKeysOf(wanted)) {
            loaded = keys;
        }
    }

    private void warnOfEnd(Instant now) {
        Instant end = loaded.expiry();
        if (end.isBefore(now.plus(SOON)) && warned.isBefore(now.minus(BETWEEN_WARNINGS))) {
            warned = now;
            LOG.warn(
                    "The certificate of listener {} {} at {}: clients {} connect. Replace it",
                    name,
                    end.isBefore(now) ? "has ended" : "ends",
                    end,
                    end.isBefore(now) ? "can't" : "then can't");
        }
    }
}

package io.rivulet.broker.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.rivulet.broker.config.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a listener, ready for handshakes. Immutable.
 *
 * @param expiry when the first certificate ends
 * @param files the versions of the files that it was made from
 */
record LoadedKeys(TlsSettings settings, SslContext context, Instant expiry, List<FileVersion> files) {
    /** A session takes some kilobytes. Clients of TLS 1.3 keep theirs themselves. */
    private static final long MAX_SESSIONS = 1000;

    /** Of a file that is missing, everything but its location is 0. */
    record FileVersion(
            String location,
            long bytes,
            long modifiedMillis,
            @Nullable Object identity) {}

    /** @throws IOException if they can't be used; the message says which file and why */
    static LoadedKeys read(String listener, TlsSettings settings) throws IOException {
        List<FileVersion> files = versions(settings);
        KeyMaterial own = KeyMaterial.read(settings.keys());
        TrustManagerFactory trusted = KeyMaterial.trust(settings.trust());
        SslContextBuilder builder = SslContextBuilder.forServer(own.keys())
                .sslProvider(Engine.provider())
                .protocols(settings.protocols())
                .clientAuth(clientAuth(settings))
                .sessionCacheSize(MAX_SESSIONS);
        if (trusted != null) {
            builder.trustManager(trusted);
        }
        if (!settings.ciphers().isEmpty()) {
            builder.ciphers(settings.ciphers());
        }
        try {
            SslContext context = builder.build();
            Engine.giveTickets(context);
            return new LoadedKeys(settings, context, own.expiry(), files);
        } catch (IOException | RuntimeException e) {
            throw new IOException("listener " + listener + " can't be encrypted: " + e.getMessage(), e);
        }
    }

    /** These keys, while those of the settings can't be used. */
    LoadedKeys insteadOf(TlsSettings others) {
        return new LoadedKeys(others, context, expiry, versions(others));
    }

    /** Whether they are those of the settings, and no file has changed. */
    boolean isOf(TlsSettings wanted) {
        return settings.hasKeysOf(wanted) && files.equals(versions(wanted));
    }

    private static ClientAuth clientAuth(TlsSettings settings) {
        return switch (settings.clientAuth()) {
            case NONE -> ClientAuth.NONE;
            case REQUESTED -> ClientAuth.OPTIONAL;
            case REQUIRED -> ClientAuth.REQUIRE;
        };
    }

    private static List<FileVersion> versions(TlsSettings settings) {
        return Stream.of(settings.keys().location(), settings.trust().location())
                .filter(location -> !location.isEmpty())
                .map(LoadedKeys::version)
                .toList();
    }

    private static FileVersion version(String location) {
        try {
            Path path = Path.of(location);
            FileTime modified = Files.getLastModifiedTime(path);
            Object inode = Files.getAttribute(path, "unix:ino");
            return new FileVersion(location, Files.size(path), modified.toMillis(), inode);
        } catch (IOException | UnsupportedOperationException | InvalidPathException e) {
            return new FileVersion(location, 0, 0, null);
        }
    }
}

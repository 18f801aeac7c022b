package io.rivulet.broker.tls;

import io.rivulet.broker.config.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Keys and certificates as they are in their files now. Immutable. */
final class KeyMaterial {
    private final KeyManagerFactory keys;
    private final @Nullable TrustManagerFactory trust;
    private final Instant expiry;

    private KeyMaterial(KeyManagerFactory keys, @Nullable TrustManagerFactory trust, Instant expiry) {
        this.keys = keys;
        this.trust = trust;
        this.expiry = expiry;
    }

    /** @throws IOException if a file is missing or has no usable key; the message has its name */
    static KeyMaterial read(TlsSettings settings) throws IOException {
        KeyStore store = read(settings.keys(), () -> keyStore(settings.keys()));
        KeyManagerFactory keys = read(settings.keys(), () -> {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, keyPassword(settings.keys()));
            return factory;
        });
        TrustManagerFactory trust = settings.trust().isGiven()
                ? read(settings.trust(), () -> {
                    TrustManagerFactory factory =
                            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                    factory.init(trustStore(settings.trust()));
                    return factory;
                })
                : null;
        return new KeyMaterial(keys, trust, read(settings.keys(), () -> expiry(store)));
    }

    KeyManagerFactory keys() {
        return keys;
    }

    /** Null to trust those whom the JVM trusts. */
    @Nullable
    TrustManagerFactory trust() {
        return trust;
    }

    /** When the first of the broker's own certificates ends. */
    Instant expiry() {
        return expiry;
    }

    private interface Read<T> {
        T get() throws IOException, GeneralSecurityException;
    }

    private static <T> T read(Object source, Read<T> read) throws IOException {
        try {
            return read.get();
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new IOException(source + " can't be used: " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        return e instanceof NoSuchFileException ? "there is no such file" : String.valueOf(e.getMessage());
    }

    private static KeyStore keyStore(TlsSettings.Keys settings) throws IOException, GeneralSecurityException {
        if (!settings.isPem()) {
            return load(settings.type(), settings.location(), settings.storePassword());
        }
        String chain =
                settings.location().isEmpty() ? settings.chain() : Files.readString(Path.of(settings.location()));
        String key = settings.location().isEmpty() ? settings.key() : chain;
        KeyStore store = empty();
        store.setKeyEntry(
                "rivulet",
                Pem.privateKey(key, settings.keyPassword()),
                keyPassword(settings),
                Pem.certificates(chain).toArray(new Certificate[0]));
        return store;
    }

    private static KeyStore trustStore(TlsSettings.Trust settings) throws IOException, GeneralSecurityException {
        if (!settings.isPem()) {
            return load(settings.type(), settings.location(), settings.password());
        }
        String text = settings.location().isEmpty()
                ? settings.certificates()
                : Files.readString(Path.of(settings.location()));
        KeyStore store = empty();
        List<Certificate> trusted = Pem.certificates(text);
        for (int i = 0; i < trusted.size(); i++) {
            store.setCertificateEntry("trusted-" + i, trusted.get(i));
        }
        return store;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static KeyStore load(String type, String location, String password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(type);
        try (InputStream file = Files.newInputStream(Path.of(location))) {
            store.load(file, password.isEmpty() ? null : password.toCharArray());
        }
        return store;
    }

    private static char[] keyPassword(TlsSettings.Keys settings) {
        String password = settings.keyPassword().isEmpty() ? settings.storePassword() : settings.keyPassword();
        return password.toCharArray();
    }

    private static Instant expiry(KeyStore store) throws IOException, GeneralSecurityException {
        Instant first = Instant.MAX;
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias) && store.getCertificate(alias) instanceof X509Certificate own) {
                Instant end = own.getNotAfter().toInstant();
                first = end.isBefore(first) ? end : first;
            }
        }
        if (first.equals(Instant.MAX)) {
            throw new IOException("there is no private key with a certificate in it");
        }
        return first;
    }
}

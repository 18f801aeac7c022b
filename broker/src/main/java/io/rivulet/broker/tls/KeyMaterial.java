package io.rivulet.broker.tls;

import io.rivulet.broker.config.TlsSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A key and its certificates, as they are in their file now. Immutable.
 *
 * @param expiry when the first certificate ends
 */
record KeyMaterial(KeyManagerFactory keys, Instant expiry) {
    private static final int MAX_FILE_BYTES = 4 << 20;

    /** @throws IOException if the file is missing or has no usable key; the message has its name */
    static KeyMaterial read(TlsSettings.Keys settings) throws IOException {
        return read(settings, () -> {
            KeyStore store = keyStore(settings);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, keyPassword(settings));
            return new KeyMaterial(factory, check(store, keyPassword(settings)));
        });
    }

    /**
     * Those who are trusted. Null for those whom the JVM trusts.
     *
     * @throws IOException if the file can't be used; the message has its name
     */
    static @Nullable TrustManagerFactory trust(TlsSettings.Trust settings) throws IOException {
        if (!settings.isGiven()) {
            return null;
        }
        return read(settings, () -> {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trustStore(settings));
            return factory;
        });
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
        String chain = settings.location().isEmpty() ? settings.chain() : text(settings.location());
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
        String text = settings.location().isEmpty() ? settings.certificates() : text(settings.location());
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
        store.load(new ByteArrayInputStream(bytes(location)), password.isEmpty() ? null : password.toCharArray());
        return store;
    }

    private static String text(String location) throws IOException {
        return new String(bytes(location), StandardCharsets.UTF_8);
    }

    /** A client that may change configs can name any file, even one without an end. */
    private static byte[] bytes(String location) throws IOException {
        Path file = Path.of(location);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("it is no file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
            if (bytes.length > MAX_FILE_BYTES) {
                throw new IOException("it has more than " + MAX_FILE_BYTES + " bytes");
            }
            return bytes;
        }
    }

    private static char[] keyPassword(TlsSettings.Keys settings) {
        String password = settings.keyPassword().isEmpty() ? settings.storePassword() : settings.keyPassword();
        return password.toCharArray();
    }

    /** When the first certificate ends. Each must belong to its key, or no handshake would succeed. */
    private static Instant check(KeyStore store, char[] password) throws IOException, GeneralSecurityException {
        Instant first = Instant.MAX;
        for (String alias : Collections.list(store.aliases())) {
            if (store.getKey(alias, password) instanceof PrivateKey key
                    && store.getCertificate(alias) instanceof X509Certificate own) {
                if (!belong(key, own)) {
                    throw new IOException("the private key does not belong to the certificate");
                }
                Instant end = own.getNotAfter().toInstant();
                first = end.isBefore(first) ? end : first;
            }
        }
        if (first.equals(Instant.MAX)) {
            throw new IOException("there is no private key with a certificate in it");
        }
        return first;
    }

    private static boolean belong(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            case "DSA" -> "SHA256withDSA";
            default -> key.getAlgorithm();
        };
        byte[] anything = {1, 2, 3};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(anything);
        byte[] signed = signature.sign();
        try {
            signature.initVerify(certificate.getPublicKey());
            signature.update(anything);
            return signature.verify(signed);
        } catch (InvalidKeyException | SignatureException e) {
            return false; // they are of different kinds
        }
    }
}

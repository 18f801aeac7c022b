package io.rivulet.broker.tls;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Clients that trust every certificate, and certificates for both sides. */
public final class ClientSockets {
    private ClientSockets() {}

    /** Valid for two days around now. */
    public static SelfSigned certificate(String name) {
        try {
            Instant now = Instant.now();
            return SelfSigned.make(
                    name, List.of("localhost"), now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Of a client that shows this certificate; null for none. */
    public static SSLContext context(@Nullable SelfSigned shown) throws Exception {
        return context(shown, () -> {});
    }

    /**
     * Connections of one context resume the sessions of earlier ones.
     *
     * @param full runs in each handshake that resumes no session
     */
    public static SSLContext context(@Nullable SelfSigned shown, Runnable full) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown == null ? null : keys(shown), new TrustManager[] {new TrustsAll(full)}, null);
        return context;
    }

    private static KeyManager[] keys(SelfSigned own) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "own",
                Pem.privateKey(own.privateKey(), ""),
                new char[0],
                Pem.certificates(own.certificate()).toArray(new Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private record TrustsAll(Runnable checked) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            checked.run();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}

package io.rivulet.it;

import io.rivulet.broker.tls.SelfSigned;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Certificates for tests, and sockets that look at them. */
final class Certificates {
    private Certificates() {}

    /** Valid for two days around now. */
    static SelfSigned certificate(String name, List<String> hosts) {
        try {
            Instant now = Instant.now();
            return SelfSigned.make(name, hosts, now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The settings that show it, in PEM. */
    static Map<String, String> pem(SelfSigned own) {
        return Map.of(
                "ssl.keystore.type", "PEM",
                "ssl.keystore.key", own.privateKey(),
                "ssl.keystore.certificate.chain", own.certificate());
    }

    /** The settings of a client that trusts it. */
    static Map<String, Object> trusting(SelfSigned trusted) {
        return Map.of(
                "security.protocol", "SSL",
                "ssl.truststore.type", "PEM",
                "ssl.truststore.certificates", trusted.certificate(),
                "max.block.ms", "60000");
    }

    static X509Certificate x509(SelfSigned own) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(own.certificate().getBytes(StandardCharsets.US_ASCII)));
    }

    /** The number of the certificate that the first listener of the broker shows to new connections. */
    static Object serial(TestBroker broker) throws Exception {
        try (SSLSocket socket = socket(broker)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
        }
    }

    private static SSLSocket socket(TestBroker broker) throws IOException {
        return (SSLSocket) context(null, () -> {})
                .getSocketFactory()
                .createSocket("localhost", broker.addresses().get(0).getPort());
    }

    /**
     * Of a client that trusts every certificate. Its connections resume the sessions of earlier ones.
     *
     * @param shown the client's own certificate; null for none
     * @param full runs in each handshake that resumes no session
     */
    static SSLContext context(@Nullable SelfSigned shown, Runnable full) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown == null ? null : keys(shown), new TrustManager[] {new TrustsAll(full)}, null);
            return context;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static KeyManager[] keys(SelfSigned own) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store("PKCS12", own, ""), new char[0]);
        return factory.getKeyManagers();
    }

    /** A key store with the key and its certificate. */
    static KeyStore store(String type, SelfSigned own, String password) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        byte[] key = Base64.getMimeDecoder().decode(own.privateKey().replaceAll("-----[^-]*-----", ""));
        PrivateKey privateKey = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
        store.setKeyEntry("own", privateKey, password.toCharArray(), new Certificate[] {x509(own)});
        return store;
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

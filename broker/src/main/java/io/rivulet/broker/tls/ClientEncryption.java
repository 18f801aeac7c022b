package io.rivulet.broker.tls;

import io.rivulet.broker.config.TlsSettings;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Encrypts connections that this process has opened. Immutable. */
public final class ClientEncryption {
    private final SSLContext context;
    private final boolean checksHost;

    private ClientEncryption(SSLContext context, boolean checksHost) {
        this.context = context;
        this.checksHost = checksHost;
    }

    /**
     * Reads keys and certificates.
     *
     * @param own what the client shows; without a location or a key, nothing
     * @param checksHost whether the certificate of the other side must have its name
     * @throws IOException if a file can't be used; the message has its name
     */
    public static ClientEncryption of(TlsSettings.Keys own, TlsSettings.Trust trust, boolean checksHost)
            throws IOException {
        boolean shows = !own.location().isEmpty() || !own.key().isEmpty();
        KeyManagerFactory keys = shows ? KeyMaterial.read(own).keys() : null;
        TrustManagerFactory trusted = KeyMaterial.trust(trust);
        try {
            return new ClientEncryption(context(keys, trusted), checksHost);
        } catch (GeneralSecurityException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static SSLContext context(@Nullable KeyManagerFactory keys, @Nullable TrustManagerFactory trusted)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                keys == null ? null : keys.getKeyManagers(), trusted == null ? null : trusted.getTrustManagers(), null);
        return context;
    }

    /** Does the handshake. Closing the result closes the connection. */
    public Socket encrypt(Socket connected, String host) throws IOException {
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(connected, host, connected.getPort(), true);
        if (checksHost) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
        }
        socket.startHandshake();
        return socket;
    }
}

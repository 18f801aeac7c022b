package io.rivulet.bench.lab;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.internal.tcnative.SSL;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * The side of the load in connections over TLS 1.3. It uses BoringSSL and trusts every certificate, so that it costs
 * little beside the broker. Thread-safe.
 */
public final class TlsClient {
    static final String PROTOCOL = "TLSv1.3";
    static final String CIPHER = "TLS_AES_128_GCM_SHA256";

    /** A server may send two tickets for each of many devices. */
    private static final int MAX_SESSIONS = 50_000;

    /** Part of the key of a session. */
    private static final int SESSION_PORT = 1;

    private static final long LONGEST_HANDSHAKE_MILLIS = 60_000;

    private final SslContext context;

    /** @param resumes whether a device resumes its last session; otherwise each handshake is a full one */
    public TlsClient(boolean resumes) throws SSLException {
        if (!OpenSsl.isAvailable()) {
            throw new SSLException("there is no BoringSSL for this machine", OpenSsl.unavailabilityCause());
        }
        context = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL)
                .protocols(PROTOCOL)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm("")
                .sessionCacheSize(MAX_SESSIONS)
                .build();
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setSessionCacheEnabled(resumes);
        }
    }

    /** Does the handshake of a blocking connection. Closes it if that fails. */
    TlsChannel encrypt(SocketChannel socket) throws IOException {
        TlsChannel channel = new TlsChannel(socket, context.newEngine(UnpooledByteBufAllocator.DEFAULT));
        try {
            check(channel.handshake());
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * A handler for a connection of Netty.
     *
     * @param device has sessions of its own
     */
    public SslHandler handler(ByteBufAllocator allocator, int device) {
        SslHandler handler = context.newHandler(allocator, "device-" + device, SESSION_PORT);
        handler.setHandshakeTimeoutMillis(LONGEST_HANDSHAKE_MILLIS);
        return handler;
    }

    /** Whether the handshake resumed a session. Called when the handshake is done, and before the connection ends. */
    public static boolean isResumed(SSLEngine engine) throws IOException {
        check(engine.getSession());
        return engine instanceof ReferenceCountedOpenSslEngine open && SSL.isSessionReused(open.sslPointer());
    }

    private static void check(SSLSession session) throws IOException {
        if (!session.getProtocol().equals(PROTOCOL) || !session.getCipherSuite().equals(CIPHER)) {
            throw new IOException("encrypted with " + session.getProtocol() + " and " + session.getCipherSuite());
        }
    }
}

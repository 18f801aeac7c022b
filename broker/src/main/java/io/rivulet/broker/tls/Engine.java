package io.rivulet.broker.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import java.security.SecureRandom;

/** What encrypts: BoringSSL if its library is on the class path, otherwise the JVM. Stateless. */
final class Engine {
    private Engine() {}

    static SslProvider provider() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    /** For the log. */
    static String description() {
        return OpenSsl.isAvailable() ? OpenSsl.versionString() : "the JVM";
    }

    /** Lets clients resume their sessions. The JVM does so anyway. */
    static void giveTickets(SslContext context) {
        if (OpenSsl.isAvailable() && context.sessionContext() instanceof OpenSslServerSessionContext sessions) {
            sessions.setTicketKeys(new OpenSslSessionTicketKey(
                    random(OpenSslSessionTicketKey.NAME_SIZE),
                    random(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                    random(OpenSslSessionTicketKey.AES_KEY_SIZE)));
        }
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return random;
    }
}

package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attacks of clients that have not logged in, on a broker with little memory. During and after each attack, clients log
 * in, other listeners serve, and all threads live.
 */
final class HostileLoginIT {
    private static final int MAX_REQUEST_BYTES = 524_288;
    private static final int ROUNDS = 200_000;
    private static final int CONNECTIONS = 500;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private int port;
    private Unharmed unharmed;

    @BeforeEach
    void start() throws Exception {
        port = Ports.free();
        server = ServerProcess.in(directory)
                .java("-Xmx128m", "-XX:MaxDirectMemorySize=128m")
                .start(
                        "--override=listeners=PLAINTEXT://localhost:0,SASL_PLAINTEXT://localhost:" + port,
                        "--override=rivulet.users=alice:secret",
                        "--override=connection.failed.authentication.delay.ms=1");
        unharmed = Unharmed.before(server, server.awaitReady());
        assertLogsIn();
    }

    @AfterEach
    void stop() throws Exception {
        try {
            assertLogsIn();
            unharmed.assertStill();
        } finally {
            server.close();
        }
    }

    private SaslAuthenticateResponseData logIn(String password) throws IOException {
        try (Wire wire = new Wire(port)) {
            wire.ask(ApiKeys.SASL_HANDSHAKE, (short) 1, new SaslHandshakeRequestData().setMechanism("PLAIN"));
            return (SaslAuthenticateResponseData) wire.ask(
                    ApiKeys.SASL_AUTHENTICATE,
                    (short) 2,
                    new SaslAuthenticateRequestData().setAuthBytes(("\0alice\0" + password).getBytes(UTF_8)));
        }
    }

    private void assertLogsIn() throws IOException {
        assertThat(logIn("secret").errorCode()).isZero();
    }

    private static ByteBuffer handshake(int version, String mechanism) {
        return Wire.frame(
                ApiKeys.SASL_HANDSHAKE, (short) version, new SaslHandshakeRequestData().setMechanism(mechanism), 1);
    }

    private static ByteBuffer join(ByteBuffer first, ByteBuffer second) {
        return ByteBuffer.allocate(first.remaining() + second.remaining())
                .put(first)
                .put(second)
                .flip();
    }

    /** 250 MB, if each were kept: more than the broker has. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void longTokensThatStopBeforeTheirEndTakeLittleMemory(int version) throws Exception {
        ByteBuffer token = ByteBuffer.allocate(MAX_REQUEST_BYTES + Integer.BYTES);
        token.putInt(0, MAX_REQUEST_BYTES)
                .putShort(4, ApiKeys.SASL_AUTHENTICATE.id)
                .putShort(6, (short) 1)
                .limit(MAX_REQUEST_BYTES - 1);
        try (Sockets sockets = new Sockets(port).open(CONNECTIONS)) {
            sockets.writeAsFarAsTaken(join(handshake(version, "PLAIN"), token), ROUNDS / 100);
            assertLogsIn();
            unharmed.assertStill();
        }
    }

    @Test
    void halfLoginsTakeLittleMemory() throws Exception {
        ByteBuffer first = Wire.frame(
                ApiKeys.SASL_AUTHENTICATE,
                (short) 2,
                new SaslAuthenticateRequestData().setAuthBytes(("n,,n=alice,r=" + "a".repeat(4000)).getBytes(UTF_8)),
                2);
        try (Sockets sockets = new Sockets(port).open(CONNECTIONS)) {
            sockets.writeAsFarAsTaken(join(handshake(1, "SCRAM-SHA-512"), first), ROUNDS);
            assertLogsIn();
            unharmed.assertStill();
        }
    }

    /** What a client sends behind its login is not kept while the login is delayed. */
    @Test
    void bytesBehindALoginTakeLittleMemory() throws Exception {
        ByteBuffer wrong = Wire.frame(
                ApiKeys.SASL_AUTHENTICATE,
                (short) 2,
                new SaslAuthenticateRequestData().setAuthBytes("\0alice\0wrong".getBytes(UTF_8)),
                2);
        ByteBuffer all = join(handshake(1, "PLAIN"), join(wrong, ByteBuffer.allocate(1 << 20)));
        try (Sockets sockets = new Sockets(port).open(CONNECTIONS)) {
            sockets.writeAsFarAsTaken(all, ROUNDS);
            assertLogsIn();
            unharmed.assertStill();
        }
    }

    @Test
    void manyWrongPasswordsHarmNoOtherClient() throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            assertThat(logIn("wrong" + i).errorCode()).isEqualTo(Errors.SASL_AUTHENTICATION_FAILED.code());
        }
        assertThat(server.err()
                        .lines()
                        .filter(line -> line.contains("login failed"))
                        .count())
                .isLessThan(CONNECTIONS / 2);
    }
}

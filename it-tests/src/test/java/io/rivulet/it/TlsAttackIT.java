package io.rivulet.it;

import static io.rivulet.it.Certificates.trusting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.tls.SelfSigned;
import io.rivulet.store.faults.Ports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes that do harm. During and after each attack others are served, on this listener and on another one. */
final class TlsAttackIT {
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int MORE_THAN_UNDER_WAY = 300;
    private static final int FIRST_BYTES = 100;
    private static final int ROUNDS = 200_000;
    private static final String RENEGOTIATION = "-Djdk.tls.rejectClientInitiatedRenegotiation=true";

    /** All that the process may take: 256 MiB of heap, as much direct memory at most, code and classes. */
    private static final long MAX_RESIDENT_BYTES = 640L << 20;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private Unharmed unharmed;
    private SelfSigned trusted;
    private int port;

    @BeforeEach
    void start() throws Exception {
        port = Ports.free();
        server = ServerProcess.in(directory)
                .java("-Xmx256m", "-XX:MaxDirectMemorySize=256m", RENEGOTIATION)
                .start(
                        "--override=listeners=PLAINTEXT://localhost:0,SSL://localhost:" + port,
                        "--override=rivulet.tls=self-signed",
                        "--override=rivulet.http.listener=none");
        unharmed = Unharmed.before(server, server.awaitReady());
        trusted = new SelfSigned("", Files.readString(directory.resolve("rivulet-data/tls/certificate.pem")));
        assertServes();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A client that speaks TLS writes a record, soon enough for its own limits. */
    private void assertServes() throws Exception {
        try (KafkaProducer<String, String> producer =
                Clients.producer("localhost:" + port, Map.copyOf(trusting(trusted)))) {
            producer.send(new ProducerRecord<>("encrypted", "value")).get(20, TimeUnit.SECONDS);
        }
    }

    private void assertUnharmed() throws Exception {
        assertServes();
        unharmed.assertStill();
        assertThat(server.peakResidentBytes()).isLessThan(MAX_RESIDENT_BYTES);
    }

    // ---- records of clients ----

    /** The first record of a client: its hello. */
    private static byte[] hello() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        byte[] bytes = new byte[record.flip().remaining()];
        record.get(bytes);
        return bytes;
    }

    /** The same handshake message in records of another size. */
    private static byte[] inRecordsOf(int size, byte[] message) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int at = 0; at < message.length; at += size) {
            int length = Math.min(size, message.length - at);
            records.writeBytes(new byte[] {22, 3, 1, (byte) (length >> 8), (byte) length});
            records.write(message, at, length);
        }
        return records.toByteArray();
    }

    private static byte[] message(byte[] record) {
        byte[] message = new byte[record.length - RECORD_HEADER_BYTES];
        System.arraycopy(record, RECORD_HEADER_BYTES, message, 0, message.length);
        return message;
    }

    // ---- attacks ----

    @Test
    void tenThousandHalfOpenHandshakesKeepNoClientAway() throws Exception {
        try (Sockets attackers = new Sockets(port).open(10_000)) {
            attackers.writeAsFarAsTaken(ByteBuffer.wrap(hello()), 1);
            assertServes();
        }
        assertUnharmed();
    }

    @Test
    void handshakesThatComeByteByByteKeepNoClientAway() throws Exception {
        byte[] hello = hello();
        try (Sockets attackers = new Sockets(port).open(MORE_THAN_UNDER_WAY)) {
            for (int i = 0; i < FIRST_BYTES; i++) {
                attackers.writeAsFarAsTaken(ByteBuffer.wrap(hello, i, 1), 1);
            }
            assertServes();
        }
        assertUnharmed();
    }

    @Test
    void handshakesInRecordsOfOneByteTakeNoMemory() throws Exception {
        byte[] records = inRecordsOf(1, message(hello()));
        try (Sockets attackers = new Sockets(port).open(MORE_THAN_UNDER_WAY)) {
            attackers.writeAsFarAsTaken(ByteBuffer.wrap(records), ROUNDS);
            assertServes();
        }
        assertUnharmed();
    }

    /** A message of 64 KiB, and one that announces 16 MiB and never ends. */
    @Test
    void hellosThatAreTooLongAreRefused() throws Exception {
        byte[] hello = new byte[64 << 10];
        System.arraycopy(new byte[] {1, 0, (byte) 0xff, (byte) 0xfc}, 0, hello, 0, 4);
        byte[] endless = new byte[1 << 20];
        System.arraycopy(new byte[] {1, (byte) 0xff, (byte) 0xff, (byte) 0xff}, 0, endless, 0, 4);
        for (byte[] message : new byte[][] {hello, endless}) {
            try (Sockets attackers = new Sockets(port).open(MORE_THAN_UNDER_WAY)) {
                attackers.writeAsFarAsTaken(ByteBuffer.wrap(inRecordsOf(16 << 10, message)), ROUNDS);
                assertServes();
                Awaitility.await()
                        .atMost(Clients.PATIENCE)
                        .until(() -> attackers.closedByBroker() == MORE_THAN_UNDER_WAY);
            }
        }
        assertUnharmed();
    }

    @Test
    void aSecondHandshakeOnAConnectionIsRefused() throws Exception {
        assertThat(Files.readAllLines(Path.of("../bin/jvm.options"))).contains(RENEGOTIATION);
        SSLContext context = Certificates.context(null, () -> {});
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(new Socket(InetAddress.getLoopbackAddress(), port), "localhost", port, true)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            socket.startHandshake();

            assertThatThrownBy(() -> socket.getInputStream().readNBytes(1)).isInstanceOf(IOException.class);
        }
        assertUnharmed();
    }
}

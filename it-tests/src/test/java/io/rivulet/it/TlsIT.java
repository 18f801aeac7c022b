package io.rivulet.it;

import static io.rivulet.it.Certificates.certificate;
import static io.rivulet.it.Certificates.pem;
import static io.rivulet.it.Certificates.serial;
import static io.rivulet.it.Certificates.trusting;
import static io.rivulet.it.Certificates.x509;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.EmbeddedBroker;
import io.rivulet.broker.tls.SelfSigned;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's own clients over encrypted listeners. */
@SeveralBrokers
final class TlsIT {
    private static final String PASSWORD = "a secret";
    private static final TopicPartition PARTITION = new TopicPartition("encrypted", 0);

    @TempDir
    private Path directory;

    private final SelfSigned server = certificate("server", List.of("localhost", "127.0.0.1"));
    private final SelfSigned client = certificate("client", List.of());

    // ---- brokers and clients ----

    private TestBroker broker(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("listeners", "SSL://localhost:0");
        return TestBroker.start(directory.resolve("data"), all);
    }

    private static Map<String, String> with(Map<String, String> settings, String... more) {
        Map<String, String> all = new HashMap<>(settings);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private Map<String, Object> showing(SelfSigned own) {
        Map<String, Object> all = new HashMap<>(trusting(server));
        all.putAll(pem(own));
        return all;
    }

    /** Writes a record and reads it. */
    private static void assertServes(TestBroker broker, Map<String, Object> settings) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, settings)) {
            producer.send(new ProducerRecord<>(PARTITION.topic(), "value")).get();
        }
        assertThat(Clients.read(broker, PARTITION, 1, settings).get(0).value()).isEqualTo("value");
    }

    private static void assertRefuses(TestBroker broker, Map<String, Object> settings) {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, settings)) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(PARTITION.topic(), "value"))
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SslAuthenticationException.class);
        }
    }

    // ---- keys ----

    private Path store(String type, SelfSigned own) throws Exception {
        Path file = directory.resolve("store." + type);
        try (OutputStream out = Files.newOutputStream(file)) {
            Certificates.store(type, own, PASSWORD).store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"JKS", "PKCS12"})
    void keysAreReadFromAStore(String type) throws Exception {
        Path file = store(type, server);
        try (TestBroker broker = broker(Map.of(
                "ssl.keystore.type", type,
                "ssl.keystore.location", file.toString(),
                "ssl.keystore.password", PASSWORD))) {
            assertServes(broker, trusting(server));
        }
        assertThatThrownBy(() -> broker(Map.of(
                        "ssl.keystore.type",
                        type,
                        "ssl.keystore.location",
                        file.toString(),
                        "ssl.keystore.password",
                        "wrong")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void keysAreReadFromPemInAFileOrInTheConfiguration() throws Exception {
        Path file = directory.resolve("server.pem");
        Files.writeString(file, server.certificate() + server.privateKey());
        try (TestBroker broker = broker(Map.of("ssl.keystore.type", "PEM", "ssl.keystore.location", file.toString()))) {
            assertServes(broker, trusting(server));
        }
        try (TestBroker broker = broker(pem(server))) {
            assertServes(broker, trusting(server));
        }
    }

    @Test
    void aListenerHasItsOwnKeys() throws Exception {
        Map<String, String> settings = new HashMap<>(pem(client));
        pem(server).forEach((key, value) -> settings.put("listener.name.outside." + key, value));
        settings.put("listeners", "OUTSIDE://localhost:0,INSIDE://localhost:0");
        settings.put("listener.security.protocol.map", "OUTSIDE:SSL,INSIDE:PLAINTEXT");
        try (TestBroker broker = broker(settings)) {
            assertServes(broker, trusting(server));
        }
    }

    @Test
    @OneBroker("each broker of a cluster would make a certificate of its own")
    void aBrokerMakesItsOwnCertificateAndKeepsIt() throws Exception {
        Map<String, String> settings = Map.of("rivulet.tls", "self-signed");
        Path certificate = directory.resolve("data/tls/certificate.pem");
        String first;
        try (TestBroker broker = broker(settings)) {
            first = Files.readString(certificate);
            assertServes(broker, trusting(new SelfSigned("", first)));
        }
        try (TestBroker broker = broker(settings)) {
            assertThat(Files.readString(certificate)).isEqualTo(first);
            assertServes(broker, trusting(new SelfSigned("", first)));
        }
        assertThat(Files.getPosixFilePermissions(directory.resolve("data/tls/key.pem")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    @Test
    void aBrokerInsideATestIsEncryptedByOneCall() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
                        .with("rivulet.transport", TestBroker.TRANSPORT)
                        .withTls()
                        .start();
                KafkaProducer<String, String> producer = Clients.producer(
                        broker.bootstrapServers(),
                        Map.of(
                                "security.protocol", "SSL",
                                "ssl.truststore.type", "PEM",
                                "ssl.truststore.location", broker.certificate().toString()))) {
            assertThat(producer.send(new ProducerRecord<>(PARTITION.topic(), "value"))
                            .get()
                            .offset())
                    .isZero();
        }
    }

    // ---- who may connect ----

    @Test
    void aClientThatDoesNotTrustTheBrokerGoesAway() throws Exception {
        try (TestBroker broker = broker(pem(server))) {
            assertRefuses(broker, trusting(client));
            assertServes(broker, trusting(server));
        }
    }

    @Test
    void aCertificateOfTheClientIsRequired() throws Exception {
        try (TestBroker broker = broker(with(
                pem(server),
                "ssl.client.auth",
                "required",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.certificates",
                client.certificate()))) {
            assertServes(broker, showing(client));
            assertRefuses(broker, trusting(server));
            assertRefuses(broker, showing(certificate("stranger", List.of())));
        }
    }

    @Test
    void aCertificateOfTheClientIsRequested() throws Exception {
        try (TestBroker broker = broker(with(
                pem(server),
                "ssl.client.auth",
                "requested",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.certificates",
                client.certificate()))) {
            assertServes(broker, showing(client));
            assertServes(broker, trusting(server));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void onlyTheVersionsThatAreAllowedAreSpoken(String version) throws Exception {
        String other = version.equals("TLSv1.2") ? "TLSv1.3" : "TLSv1.2";
        try (TestBroker broker = broker(with(pem(server), "ssl.enabled.protocols", version))) {
            assertServes(broker, speaking(version));
            assertRefuses(broker, speaking(other));
        }
    }

    private Map<String, Object> speaking(String version) {
        Map<String, Object> all = new HashMap<>(trusting(server));
        all.put("ssl.protocol", version);
        all.put("ssl.enabled.protocols", version);
        return all;
    }

    // ---- new keys ----

    @Test
    void newKeysAreUsedWithoutLosingAConnection() throws Exception {
        SelfSigned next = certificate("server", List.of("localhost"));
        Path file = directory.resolve("server.pem");
        Files.writeString(file, server.certificate() + server.privateKey());
        try (TestBroker broker = broker(Map.of("ssl.keystore.type", "PEM", "ssl.keystore.location", file.toString()));
                KafkaProducer<String, String> producer = Clients.producer(
                        broker, trusting(new SelfSigned("", server.certificate() + next.certificate())))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            replace(file, next.certificate() + next.privateKey());
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> {
                sent.add(producer.send(new ProducerRecord<>(PARTITION.topic(), "value")));
                return serial(broker).equals(x509(next).getSerialNumber());
            });

            replace(file, "no certificate");
            sent.add(producer.send(new ProducerRecord<>(PARTITION.topic(), "last")));
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
            assertServes(broker, trusting(next));
        }
    }

    private static void replace(Path file, String text) throws IOException {
        Path part = Files.writeString(Path.of(file + ".part"), text);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    // ---- clients that do harm ----

    /** There are 256 handshakes at most, and each has a second if others wait. */
    @Test
    void clientsThatBeginNoHandshakeKeepNoOtherAway() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (TestBroker broker = broker(pem(server))) {
            for (int i = 0; i < 1000; i++) {
                silent.add(new Socket(
                        InetAddress.getLoopbackAddress(),
                        broker.addresses().get(0).getPort()));
            }
            assertServes(broker, trusting(server));
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void bytesThatAreNoTlsCloseTheConnection() throws Exception {
        try (TestBroker broker = broker(pem(server));
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        broker.addresses().get(0).getPort())) {
            socket.getOutputStream().write(new byte[] {0, 0, 0, 8, 0, 18, 0, 0, 0, 0, 0, 0});
            assertThat(socket.getInputStream().readAllBytes().length).isLessThan(100);
            assertServes(broker, trusting(server));
        }
    }
}

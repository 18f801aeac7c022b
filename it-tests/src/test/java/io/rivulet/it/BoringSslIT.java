package io.rivulet.it;

import static io.rivulet.it.Certificates.certificate;
import static io.rivulet.it.Certificates.pem;
import static io.rivulet.it.Certificates.trusting;
import static io.rivulet.it.Certificates.x509;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.tls.SelfSigned;
import io.rivulet.store.faults.Ports;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that has BoringSSL on its class path, as in the image. */
final class BoringSslIT {
    private static final Path JARS = Path.of("../broker/target/boringssl");
    private static final byte[] API_VERSIONS = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, -1, -1};
    private static final int RECORDS = 20;
    private static final int RECORD_BYTES = 1_000_000;

    @TempDir
    private Path directory;

    private final SelfSigned first = certificate("server", List.of("localhost"));
    private final SelfSigned next = certificate("server", List.of("localhost"));
    private final SelfSigned client = certificate("client", List.of());
    private ServerProcess server;
    private Unharmed unharmed;
    private Path keys;
    private int port;

    @BeforeEach
    void start() throws Exception {
        Programs.require(
                Set.of("amd64", "x86_64", "aarch64").contains(System.getProperty("os.arch")), "BoringSSL is here");
        keys = Files.writeString(directory.resolve("server.pem"), first.certificate() + first.privateKey());
        Path trusted = Files.writeString(directory.resolve("clients.pem"), client.certificate());
        port = Ports.free();
        try (Stream<Path> jars = Files.list(JARS)) {
            server = ServerProcess.in(directory)
                    .classPath(jars.toList())
                    .java("-Xmx256m", "-XX:MaxDirectMemorySize=256m")
                    .start(
                            "--override=listeners=PLAINTEXT://localhost:0,SSL://localhost:" + port,
                            "--override=ssl.keystore.type=PEM",
                            "--override=ssl.keystore.location=" + keys,
                            "--override=ssl.truststore.type=PEM",
                            "--override=ssl.truststore.location=" + trusted,
                            "--override=ssl.client.auth=required",
                            "--override=rivulet.http.listener=none");
        }
        unharmed = Unharmed.before(server, server.awaitReady());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Map<String, Object> showing(SelfSigned shown) {
        Map<String, Object> settings =
                new HashMap<>(trusting(new SelfSigned("", first.certificate() + next.certificate())));
        settings.putAll(pem(shown));
        return settings;
    }

    @Test
    void itEncryptsRequestsAndLargeAnswers() throws Exception {
        assertThat(server.err()).contains("Connections are encrypted by BoringSSL");
        TopicPartition partition = new TopicPartition("encrypted", 0);
        Map<String, Object> settings = showing(client);
        settings.put("max.request.size", 2 * RECORD_BYTES);
        settings.put("max.partition.fetch.bytes", RECORDS * RECORD_BYTES);
        try (KafkaProducer<String, String> producer = Clients.producer("localhost:" + port, settings)) {
            List<Future<RecordMetadata>> sent = IntStream.range(0, RECORDS)
                    .mapToObj(i -> producer.send(new ProducerRecord<>(
                            "encrypted", 0, null, Character.toString('a' + i).repeat(RECORD_BYTES))))
                    .toList();
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
        try (KafkaConsumer<String, String> consumer = Clients.consumer("localhost:" + port, settings)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            assertThat(Clients.poll(consumer, RECORDS))
                    .allSatisfy(record -> assertThat(record.value())
                            .isEqualTo(Character.toString('a' + (int) record.offset())
                                    .repeat(RECORD_BYTES)));
        }
    }

    @Test
    void itChecksTheCertificateOfTheClient() {
        SSLContext stranger = Certificates.context(certificate("stranger", List.of()), () -> {});

        assertThatThrownBy(() -> ask(stranger, "TLSv1.3")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ask(Certificates.context(null, () -> {}), "TLSv1.2"))
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientThatComesBackResumesItsSession(String version) throws Exception {
        List<Integer> full = new java.util.ArrayList<>();
        SSLContext context = Certificates.context(client, () -> full.add(1));
        ask(context, version);
        ask(context, version);
        ask(context, version);

        assertThat(full).hasSize(1);
    }

    /** Sends a request and reads the answer. Returns the number of the broker's certificate. */
    private Object ask(SSLContext context, String version) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port)) {
            socket.setEnabledProtocols(new String[] {version});
            socket.getOutputStream().write(API_VERSIONS);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readFully(new byte[in.readInt()]);
            return ((java.security.cert.X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSerialNumber();
        }
    }

    @Test
    void newKeysAreUsed() throws Exception {
        Path part = Files.writeString(directory.resolve("part"), next.certificate() + next.privateKey());
        Files.move(part, keys, java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .until(() -> ask(Certificates.context(client, () -> {}), "TLSv1.3")
                        .equals(x509(next).getSerialNumber()));
    }

    @Test
    void aSecondHandshakeOnAConnectionIsRefused() throws Exception {
        SSLContext context = Certificates.context(client, () -> {});
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            socket.startHandshake();

            assertThatThrownBy(() -> socket.getInputStream().readNBytes(1)).isInstanceOf(IOException.class);
        }
        unharmed.assertStill();
    }
}

package io.rivulet.it;

import static io.rivulet.it.Certificates.certificate;
import static io.rivulet.it.Certificates.pem;
import static io.rivulet.it.Certificates.serial;
import static io.rivulet.it.Certificates.trusting;
import static io.rivulet.it.Certificates.x509;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.tls.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of a listener change by AlterConfigs while the broker runs, and no connection is lost. */
final class TlsReloadIT {
    private static final ConfigResource BROKER = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");
    private static final String PREFIX = "listener.name.ssl.";
    private static final String TRUSTED = "listener.name.strict.ssl.truststore.location";
    private static final int CLIENTS = 100;

    @TempDir
    private Path directory;

    private final SelfSigned first = certificate("server", List.of("localhost"));
    private final SelfSigned next = certificate("server", List.of("localhost"));
    private final SelfSigned client = certificate("client", List.of());
    private final SelfSigned both = new SelfSigned("", first.certificate() + next.certificate());

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        Map<String, String> settings = new HashMap<>(pem(first));
        settings.put("listeners", "SSL://localhost:0,PLAIN://localhost:0,STRICT://localhost:0");
        settings.put("listener.security.protocol.map", "PLAIN:PLAINTEXT,STRICT:SSL");
        settings.put("rivulet.http.listener", "localhost:0");
        settings.put("listener.name.strict.ssl.client.auth", "required");
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.certificates", first.certificate());
        settings.put("listener.name.strict.ssl.truststore.certificates", "");
        settings.put(TRUSTED, write("trusted.pem", first));
        broker = TestBroker.start(directory.resolve("data"), settings);
        admin = Clients.admin("localhost:" + broker.addresses().get(1).getPort());
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private String write(String name, SelfSigned trusted) throws IOException {
        return Files.writeString(directory.resolve(name), trusted.certificate()).toString();
    }

    // ---- changes ----

    /** Of the listener. An empty value deletes the key. */
    private static Map<String, String> ofListener(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>();
        settings.forEach((key, value) -> all.put(PREFIX + key, value));
        return all;
    }

    private void alter(ConfigResource resource, boolean validateOnly, Map<String, String> settings) throws Exception {
        List<AlterConfigOp> changes = settings.entrySet().stream()
                .map(each -> new AlterConfigOp(
                        new ConfigEntry(each.getKey(), each.getValue()),
                        each.getValue().isEmpty() ? OpType.DELETE : OpType.SET))
                .toList();
        admin.incrementalAlterConfigs(Map.of(resource, changes), new AlterConfigsOptions().validateOnly(validateOnly))
                .all()
                .get();
    }

    private void alter(Map<String, String> settings) throws Exception {
        alter(BROKER, false, ofListener(settings));
    }

    private void assertRefused(String reason, Map<String, String> settings) {
        for (boolean validateOnly : new boolean[] {true, false}) {
            assertThatThrownBy(() -> alter(BROKER, validateOnly, ofListener(settings)))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining(reason);
        }
    }

    private void assertShows(SelfSigned expected) throws Exception {
        assertThat(serial(broker)).isEqualTo(x509(expected).getSerialNumber());
    }

    // ---- keys ----

    @Test
    void aHundredClientsProduceWhileTheCertificateIsReplaced() throws Exception {
        Map<String, Object> settings = new HashMap<>(trusting(both));
        settings.put("linger.ms", "0");
        List<KafkaProducer<String, String>> producers = new ArrayList<>();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                producers.add(Clients.producer(broker, settings));
            }
            sendAll(producers, sent);
            assertShows(first);
            alter(pem(next));
            assertShows(next);
            sendAll(producers, sent);
            // Others come now, and see the new certificate only.
            for (int i = 0; i < CLIENTS / 10; i++) {
                producers.add(Clients.producer(broker, trusting(next)));
            }
            sendAll(producers, sent);
            alter(pem(first));
            assertShows(first);
            sendAll(producers, sent);
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        } finally {
            producers.forEach(KafkaProducer::close);
        }
        assertThat(sent).hasSize(4 * CLIENTS + 2 * (CLIENTS / 10));
    }

    private static void sendAll(List<KafkaProducer<String, String>> producers, List<Future<RecordMetadata>> sent) {
        producers.forEach(producer -> sent.add(producer.send(new ProducerRecord<>("encrypted", "value"))));
    }

    @Test
    void keysThatWereSetSurviveARestartAndCanBeDeleted() throws Exception {
        alter(pem(next));
        stop();
        start();
        assertShows(next);

        Map<String, String> deleted = new HashMap<>();
        pem(next).keySet().forEach(key -> deleted.put(key, ""));
        alter(deleted);
        assertShows(first);
    }

    @Test
    void aChangeThatIsOnlyValidatedChangesNothing() throws Exception {
        alter(BROKER, true, ofListener(pem(next)));
        assertShows(first);
        assertThat(described()).doesNotContainKey(PREFIX + "ssl.keystore.key");
    }

    @Test
    void trustedCertificatesChange() throws Exception {
        Map<String, Object> showing = new HashMap<>(trusting(first));
        showing.putAll(pem(client));
        assertThatThrownBy(() -> send(showing)).hasCauseInstanceOf(SslAuthenticationException.class);

        alter(BROKER, false, Map.of(TRUSTED, write("clients.pem", client)));
        send(showing);
    }

    private void send(Map<String, Object> settings) throws Exception {
        String servers = "localhost:" + broker.addresses().get(2).getPort();
        try (KafkaProducer<String, String> producer = Clients.producer(servers, settings)) {
            producer.send(new ProducerRecord<>("encrypted", "value")).get();
        }
    }

    @Test
    void keysThatCanNotBeUsedAreRefused() throws Exception {
        Path file = directory.resolve("other.pem");
        Files.writeString(file, "nothing");
        Map<String, String> mixed = new HashMap<>(pem(next));
        mixed.put("ssl.keystore.key", first.privateKey());

        assertRefused("does not belong to the certificate", mixed);
        assertRefused("no CERTIFICATE", Map.of("ssl.keystore.certificate.chain", "nothing"));
        assertRefused("given only with type PEM", Map.of("ssl.keystore.location", file.toString()));
        assertRefused("no CERTIFICATE", Map.of("ssl.truststore.certificates", "nothing"));
        assertRefused("allowed is JKS or PKCS12 or PEM", Map.of("ssl.keystore.type", "BCFKS"));
        assertRefused("Cannot update these configs dynamically", Map.of("ssl.client.auth", "none"));
        assertShows(first);
        assertThat(described().keySet()).noneMatch(key -> key.startsWith(PREFIX));
    }

    /** Clients can name any file. */
    @ParameterizedTest
    @ValueSource(strings = {"/dev/zero", "/dev/stdin", "/proc/self/fd", "/proc/kcore", "/no/such/file", "a\0b"})
    void whatIsNoFileWithKeysHarmsNoConnection(String location) throws Exception {
        for (String type : List.of("PEM", "JKS", "PKCS12")) {
            Map<String, String> settings = Map.of("listener.name.strict.ssl.truststore.type", type, TRUSTED, location);
            assertThatThrownBy(() -> alter(BROKER, false, settings))
                    .hasCauseInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("can't be used");
        }
        assertShows(first);
    }

    @Test
    void keysBelongToAListenerOfOneBroker() {
        assertThatThrownBy(() -> alter(ALL_BROKERS, false, ofListener(pem(next))))
                .hasCauseInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("for one broker only");
        assertThatThrownBy(() -> alter(BROKER, false, pem(next)))
                .hasCauseInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Cannot update these configs dynamically");
    }

    /** OpenSSL has written it with 1,000,001 of them. With some more, decrypting would take hours. */
    @Test
    void aKeyWithTooManyRoundsIsRefused() {
        String encrypted = """
                -----BEGIN ENCRYPTED PRIVATE KEY-----
                MIHtMFgGCSqGSIb3DQEFDTBLMCoGCSqGSIb3DQEFDDAdBAjVJAVNOIaEpAIDD0JB
                MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBDtioHfBKlq/2DmVgo+SxOdBIGQ
                wcji6Fvn4iCBLEp3AZbV5RSNAg9yhaoKyng+w0uIpVL/yo31KBbtbPePhZEeD1nf
                PAsOzTZcDV6T/IBK0F2DE/ivJYrbsUU/dEpbVDwzZO5DwvlkJMTWW2Npi9+DOL+n
                lK7A1ziVlOoB9cVdgIERehORGxijTdYnurgF/CW8SCd45/sVDeGtG+bkrNu9Y8SC
                -----END ENCRYPTED PRIVATE KEY-----
                """;
        Map<String, String> settings = new HashMap<>(pem(next));
        settings.put("ssl.keystore.key", encrypted);
        settings.put("ssl.key.password", "secret");

        assertRefused("rounds to decrypt", settings);
    }

    // ---- what is shown ----

    private Map<String, ConfigEntry> described() throws Exception {
        Config config = admin.describeConfigs(List.of(BROKER)).all().get().get(BROKER);
        Map<String, ConfigEntry> all = new HashMap<>();
        config.entries().forEach(entry -> all.put(entry.name(), entry));
        return all;
    }

    @Test
    void noSecretIsDescribed() throws Exception {
        alter(pem(next));

        Map<String, ConfigEntry> described = described();
        for (String key : List.of("ssl.keystore.key", "ssl.keystore.certificate.chain")) {
            assertThat(described.get(PREFIX + key).isSensitive()).isTrue();
            assertThat(described.get(PREFIX + key).isReadOnly()).isFalse();
            assertThat(described.get(PREFIX + key).value()).isNull();
            assertThat(described.get(PREFIX + key).synonyms()).isEmpty();
        }
        assertThat(described.get(PREFIX + "ssl.keystore.type").value()).isEqualTo("PEM");
        assertThat(described.values()).noneMatch(entry -> String.valueOf(entry).contains("PRIVATE"));
    }

    @Test
    void theEndOfTheCertificateIsAMetric() throws Exception {
        Instant end = x509(first).getNotAfter().toInstant();
        String page = HttpPage.get("http://localhost:"
                        + Objects.requireNonNull(broker.httpAddress()).getPort() + "/metrics")
                .body();

        assertThat(page.lines())
                .contains("rivulet_tls_certificate_expiry_seconds{listener=\"SSL\"} " + end.getEpochSecond());
    }
}

package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the Helm chart makes runs, and serves clients at the addresses of its Services. */
final class PodIT {
    private static final String SERVICE = "events-rivulet.default.svc.cluster.local";
    private static final String PASSWORD = "of-the-store";
    private static final String ONE_RECORD = " --topic orders --from-beginning --max-messages 1";

    @TempDir
    private Path scratch;

    @TempDir
    private Path client;

    @BeforeAll
    static void tools() {
        Tools.require();
        Image.require();
    }

    private Pod pod(String example, Map<String, Map<String, String>> secrets) {
        return new Pod(Chart.objects(Chart.example(example)), secrets, scratch);
    }

    private Path write(String file, String text) throws IOException {
        Path written = Files.writeString(client.resolve(file), text);
        client.toFile().setExecutable(true, false);
        return written;
    }

    /** Sends a record through the address and reads it again. */
    private String exchange(Pod pod, String address) {
        String at = " --bootstrap-server " + address + " --command-config /client/client.properties";
        return pod.client(
                client,
                "echo hello | kafka-console-producer --topic orders" + at + " && kafka-console-consumer" + at
                        + ONE_RECORD);
    }

    @Test
    void theDefaultsKeepRecordsWhenThePodIsReplaced() throws Exception {
        write("client.properties", "");
        try (Pod pod = pod("default", Map.of()).start()) {
            assertThat(pod.probe("livenessProbe")).isEqualTo(200);
            assertThat(pod.probe("startupProbe")).isEqualTo(200);
            assertThat(exchange(pod, SERVICE + ":9092")).isEqualTo("hello\n");
            assertThat(pod.exec(
                            "kafka-configs",
                            "--bootstrap-server",
                            "localhost:9092",
                            "--broker",
                            "1",
                            "--describe",
                            "--all"))
                    .contains("rivulet.durability=fsync");

            pod.kill();
            pod.start();

            assertThat(pod.client(
                            client, "kafka-console-consumer --bootstrap-server " + SERVICE + ":9092" + ONE_RECORD))
                    .isEqualTo("hello\n");
            assertThat(pod.log()).doesNotContain("WARN", "ERROR", "unknown");
        }
    }

    @Test
    void usersLogInInsideAndOutsideAndRulesApply() throws Exception {
        try (Pod pod = pod("secure", Map.of()).start()) {
            write("ca.pem", pod.exec("cat", "/var/lib/kafka/data/tls/certificate.pem"));
            write("client.properties", login("admin", "of-the-admin"));
            write("alice.properties", login("alice", "of:alice"));

            assertThat(exchange(pod, SERVICE + ":9092")).isEqualTo("hello\n");
            assertThat(pod.client(
                            client,
                            "kafka-topics --list --bootstrap-server " + SERVICE
                                    + ":9092 --command-config /client/alice.properties; true"))
                    .doesNotContain("orders");
            assertThat(exchange(pod, "kafka.example.org:9094")).isEqualTo("hello\n");
            assertThat(pod.log()).doesNotContain("unknown and are ignored");
        }
    }

    private static String login(String user, String password) {
        return "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\nssl.truststore.type=PEM\n"
                + "ssl.truststore.location=/client/ca.pem\n"
                + "sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user
                + "\" password=\"" + password + "\";\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls-secret", "pkcs12"})
    void keysComeFromASecret(String example) throws Exception {
        KeyPairInFiles keys = new KeyPairInFiles();
        Map<String, Map<String, String>> secrets = Map.of(
                "kafka-tls",
                Map.of("tls.key", keys.key, "tls.crt", keys.certificate, "keystore.p12", keys.store),
                "kafka-tls-password",
                Map.of("password", PASSWORD + "\n"));
        write("ca.pem", keys.certificate);
        write(
                "client.properties",
                "security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location=/client/ca.pem\n");
        try (Pod pod = pod(example, secrets).start()) {
            assertThat(exchange(pod, SERVICE + ":9092")).isEqualTo("hello\n");
            assertThat(pod.log()).doesNotContain("unknown and are ignored");
        }
    }

    @Test
    void clientsShowCertificatesInsideAndLogInOutside() throws Exception {
        KeyPairInFiles keys = new KeyPairInFiles();
        Map<String, Map<String, String>> secrets = Map.of(
                "kafka-tls",
                Map.of("tls-combined.pem", keys.key + keys.certificate, "ca.crt", keys.certificate),
                "kafka-users",
                Map.of("users", "alice:secret"));
        write("ca.pem", keys.certificate);
        write("own.pem", keys.key + keys.certificate);
        String trust = "ssl.truststore.type=PEM\nssl.truststore.location=/client/ca.pem\n";
        try (Pod pod = pod("cert-manager", secrets).start()) {
            write("client.properties", "security.protocol=SSL\n" + trust);
            assertThat(pod.client(
                            client,
                            "kafka-topics --list --bootstrap-server " + SERVICE
                                    + ":9092 --command-config /client/client.properties || echo refused"))
                    .contains("refused");

            write(
                    "client.properties",
                    "security.protocol=SSL\n" + trust
                            + "ssl.keystore.type=PEM\nssl.keystore.location=/client/own.pem\n");
            assertThat(exchange(pod, SERVICE + ":9092")).isEqualTo("hello\n");

            write("client.properties", login("alice", "secret"));
            assertThat(exchange(pod, "node.example.org:30092")).isEqualTo("hello\n");
        }
    }

    /** A key with a certificate for the names of the tests. */
    private final class KeyPairInFiles {
        final String key;
        final String certificate;
        /** In PKCS #12, as ISO 8859-1. */
        final String store;

        KeyPairInFiles() throws IOException, GeneralSecurityException {
            Path file = scratch.resolve("keys.p12");
            Shell.run(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "key",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=alice",
                    "-ext",
                    "bc=ca:true",
                    "-ext",
                    "SAN=dns:" + SERVICE + ",dns:node.example.org",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    file.toString(),
                    "-storepass",
                    PASSWORD);
            KeyStore loaded = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
            key = pem(
                    "PRIVATE KEY", loaded.getKey("key", PASSWORD.toCharArray()).getEncoded());
            certificate = pem("CERTIFICATE", loaded.getCertificate("key").getEncoded());
            store = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        }

        private static String pem(String label, byte[] bytes) {
            return "-----BEGIN " + label + "-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + label
                    + "-----\n";
        }
    }
}

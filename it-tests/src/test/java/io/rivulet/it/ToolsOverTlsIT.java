package io.rivulet.it;

import static io.rivulet.it.Certificates.certificate;
import static io.rivulet.it.Certificates.pem;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tls.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tools of bin/rivulet reach a broker that is encrypted and wants a certificate. */
@SeveralBrokers
final class ToolsOverTlsIT {
    @TempDir
    private Path directory;

    private final SelfSigned server = certificate("server", List.of("localhost"));
    private final SelfSigned client = certificate("client", List.of());
    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings = new HashMap<>(pem(server));
        settings.put("listeners", "SSL://localhost:0");
        settings.put("ssl.client.auth", "required");
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.certificates", client.certificate());
        broker = TestBroker.start(directory.resolve("data"), settings);
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private Path config(Map<String, String> settings) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("security.protocol", "SSL");
        properties.putAll(settings);
        Path file = directory.resolve("client.properties");
        try (var out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        return file;
    }

    private Map<String, String> trusting(SelfSigned trusted) throws IOException {
        Path file = Files.writeString(directory.resolve("trusted.pem"), trusted.certificate());
        Map<String, String> settings = new HashMap<>(pem(client));
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.location", file.toString());
        return settings;
    }

    private Programs.Outcome run(String input, String... arguments) throws Exception {
        return at(broker.bootstrapServers(), input, arguments);
    }

    private Programs.Outcome at(String server, String input, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Path.of("..", "broker", "target", "rivulet.jar").toString()));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--bootstrap-server", server));
        return Programs.runWithInput(directory, input, words.toArray(String[]::new));
    }

    @Test
    void aToolShowsItsCertificateAndTrustsTheBrokers() throws Exception {
        String config = config(trusting(server)).toString();

        assertThat(run("", "topics", "--create", "--topic", "made", "--command-config", config)
                        .exitCode())
                .isZero();
        assertThat(run("", "health", "--command-config", config).out()).startsWith("healthy");
        assertThat(run("value\n", "console-producer", "--topic", "made", "--producer.config", config)
                        .exitCode())
                .isZero();
        assertThat(run(
                                "",
                                "console-consumer",
                                "--topic",
                                "made",
                                "--from-beginning",
                                "--max-messages",
                                "1",
                                "--consumer.config",
                                config)
                        .out())
                .isEqualTo("value\n");
    }

    @Test
    void whatIsWrongIsSaid() throws Exception {
        Programs.Outcome untrusted = run(
                "",
                "topics",
                "--list",
                "--command-config",
                config(trusting(client)).toString());
        assertThat(untrusted.exitCode()).isEqualTo(1);
        assertThat(untrusted.err()).startsWith("Error: no TLS with " + broker.bootstrapServers() + ": ");

        Map<String, String> missing = trusting(server);
        missing.put("ssl.truststore.location", "/no/such/file");
        assertThat(run(
                                "",
                                "topics",
                                "--list",
                                "--command-config",
                                config(missing).toString())
                        .err())
                .contains("/no/such/file can't be used: there is no such file");

        assertThat(run("", "topics", "--list", "--command-config", "/no/such/file")
                        .err())
                .isEqualTo("Error: the file /no/such/file does not exist\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"})
    void aToolLogsIn(String mechanism) throws Exception {
        broker.close();
        Map<String, String> settings = new HashMap<>(pem(server));
        settings.put("listeners", "SASL_SSL://localhost:0");
        settings.put("sasl.enabled.mechanisms", mechanism);
        settings.put("rivulet.users", "alice:secret");
        broker = TestBroker.start(directory.resolve("data"), settings);
        Map<String, String> right = new HashMap<>(trusting(server));
        right.putAll(login(mechanism, "secret"));
        Map<String, String> wrong = new HashMap<>(right);
        wrong.putAll(login(mechanism, "wrong"));

        assertThat(run(
                                "",
                                "topics",
                                "--create",
                                "--topic",
                                "made",
                                "--command-config",
                                config(right).toString())
                        .out())
                .isEqualTo("Created topic made.\n");
        Programs.Outcome refused =
                run("", "topics", "--list", "--command-config", config(wrong).toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .startsWith("Error: login as alice: SASL_AUTHENTICATION_FAILED")
                .doesNotContain("wrong");
    }

    private static Map<String, String> login(String mechanism, String password) {
        return Map.of(
                "security.protocol",
                "SASL_SSL",
                "sasl.mechanism",
                mechanism,
                "sasl.jaas.config",
                "some.Module required username=\"alice\" password=\"" + password + "\";");
    }

    /** As Kafka's clients do, unless ssl.endpoint.identification.algorithm is empty. */
    @Test
    void theCertificateMustHaveTheNameOfTheBroker() throws Exception {
        Map<String, String> settings = trusting(server);
        String other = "127.0.0.1:" + broker.addresses().get(0).getPort();
        Programs.Outcome refused = at(
                other,
                "",
                "topics",
                "--list",
                "--command-config",
                config(settings).toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("127.0.0.1");

        settings.put("ssl.endpoint.identification.algorithm", "");
        assertThat(at(
                                other,
                                "",
                                "topics",
                                "--list",
                                "--command-config",
                                config(settings).toString())
                        .exitCode())
                .isZero();
    }
}

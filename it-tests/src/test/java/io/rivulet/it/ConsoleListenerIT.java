package io.rivulet.it;

import static io.rivulet.it.ConsoleClient.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.tls.SelfSigned;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the console listens, with and without encryption, and what the configuration may say about it. */
final class ConsoleListenerIT {
    @TempDir
    private Path directory;

    @Test
    void theCertificateOfTheConsoleChangesWhileItRuns() throws Exception {
        Map<String, String> settings = SecureConsole.settings();
        settings.remove("rivulet.tls");
        settings.putAll(ofConsole(Certificates.certificate("first", List.of("localhost"))));
        SelfSigned second = Certificates.certificate("second", List.of("localhost"));
        Map<String, Object> asRoot = new HashMap<>(SaslIT.as("PLAIN", SecureConsole.ROOT, SecureConsole.SECRET));
        try (TestBroker other = TestBroker.start(directory.resolve("certificates"), settings)) {
            asRoot.put("bootstrap.servers", other.bootstrapServers());
            try (Admin changing = Admin.create(asRoot)) {
                List<AlterConfigOp> changes = ofConsole(second).entrySet().stream()
                        .map(entry -> new ConfigEntry(entry.getKey(), entry.getValue()))
                        .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
                        .toList();
                String node = changing.describeCluster()
                        .nodes()
                        .get()
                        .iterator()
                        .next()
                        .idString();
                changing.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.BROKER, node), changes))
                        .all()
                        .get();
            }
            try (SSLSocket socket = SecureConsole.socket(other)) {
                assertThat(socket.getSession().getPeerCertificates()[0]).isEqualTo(Certificates.x509(second));
            }
        }
    }

    private static Map<String, String> ofConsole(SelfSigned own) {
        Map<String, String> keys = new HashMap<>();
        Certificates.pem(own).forEach((key, value) -> keys.put("listener.name.console." + key, value));
        return keys;
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:0", ":0", "10.1.2.3:9645"})
    void passwordsAreNotAskedForInTheClear(String listener) {
        Map<String, String> settings = SecureConsole.settings();
        settings.put("rivulet.console.listener", listener);
        assertThatThrownBy(() -> TestBroker.start(directory.resolve("refused"), settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rivulet.console.listener")
                .hasMessageContaining("https://" + listener);
    }

    @Test
    void onLoopbackTheConsoleAmongTheOtherPagesAsksToo() throws Exception {
        Map<String, String> settings = SecureConsole.settings();
        settings.remove("rivulet.console.listener");
        settings.remove("rivulet.tls");
        settings.put("rivulet.http.listener", "localhost:0");
        try (TestBroker other = TestBroker.start(directory.resolve("loopback"), settings)) {
            int port = Objects.requireNonNull(other.httpAddress()).getPort();
            ConsoleClient client = new ConsoleClient("http://localhost:" + port + "/console/api/", null);
            assertThat(client.status("topics")).isEqualTo(401);
            assertThat(client.as(SecureConsole.ROOT, SecureConsole.SECRET).status("topics"))
                    .isEqualTo(200);
            assertThat(HttpPage.get("http://localhost:" + port + "/readyz").status())
                    .isEqualTo(200);
        }
    }

    /** No client can log in, so the console shows what clients that have not said who they are may see. */
    @Test
    void withRulesButWithoutPasswordsItShowsWhatAnonymousMaySee() throws Exception {
        Map<String, String> settings = SecureConsole.settings();
        settings.keySet().removeIf(key -> key.startsWith("rivulet."));
        settings.put("listeners", "PLAINTEXT://localhost:0");
        settings.put("rivulet.http.listener", "localhost:0");
        settings.put("super.users", "User:ANONYMOUS");
        settings.put("rivulet.console", "on");
        try (TestBroker other = TestBroker.start(directory.resolve("anonymous"), settings);
                Admin anonymous = Clients.admin(other.bootstrapServers())) {
            anonymous
                    .createTopics(List.of(new NewTopic("t", 1, (short) 1)))
                    .all()
                    .get();
            int port = Objects.requireNonNull(other.httpAddress()).getPort();
            ConsoleClient client = new ConsoleClient("http://localhost:" + port + "/console/api/", null);
            assertThat(names(client.get("topics"), "name")).containsExactly("t");
        }
        settings.put("super.users", "User:" + SecureConsole.ROOT);
        try (TestBroker other = TestBroker.start(directory.resolve("anonymous"), settings)) {
            int port = Objects.requireNonNull(other.httpAddress()).getPort();
            ConsoleClient client = new ConsoleClient("http://localhost:" + port + "/console/api/", null);
            assertThat(names(client.get("topics"), "name")).isEmpty();
            assertThat(client.status("storage")).isEqualTo(403);
        }
    }
}

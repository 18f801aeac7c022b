package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tls.Encryption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The console over https, for a user with few rights and one with all, in a browser. */
@Tag("browser")
@Tag("clients")
final class ConsoleLoginBrowserIT {
    @TempDir
    private Path directory;

    @TempDir(cleanup = CleanupMode.NEVER) // the browser still writes there when it ends
    private Path profile;

    @Test
    void thePageShowsWhatItsUserMaySee() throws Exception {
        Map<String, String> settings = Map.of(
                "listeners", "SASL_SSL://localhost:0",
                "rivulet.tls", "self-signed",
                "rivulet.users", "root:r,alice:a",
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users", "User:root",
                "rivulet.console.listener", "https://localhost:0",
                "rivulet.console.writes", "true");
        try (TestBroker broker = TestBroker.start(directory, settings)) {
            makeTopics(broker);
            String place = "localhost:"
                    + Objects.requireNonNull(broker.consoleAddress()).getPort() + "/console/";
            try (Browser browser = Browser.start(profile.resolve("alice"))) {
                browser.open("https://alice:a@" + place);
                browser.open("https://" + place);
                browser.waitForText("The whole broker needs the right DESCRIBE of the cluster");
                assertThat(navigation(browser)).isEqualTo("Overview Topics Groups Transactions alice");
                browser.open("https://" + place + "#/topics");
                browser.waitForText("1 topic");
                browser.open("https://" + place + "#/topics/orders/messages");
                browser.waitForText("No records here.");
                assertThat(browser.complaints()).isEmpty();
            }
            try (Browser browser = Browser.start(profile.resolve("root"))) {
                browser.open("https://root:r@" + place);
                browser.open("https://" + place);
                browser.waitForText("Fsyncs of the log");
                assertThat(navigation(browser))
                        .isEqualTo("Overview Topics Groups Transactions Connections Storage Access Settings root");
                browser.open("https://" + place + "#/topics");
                browser.waitForText("2 of 2 topics");
                assertThat(browser.complaints()).isEmpty();
            }
        }
    }

    private void makeTopics(TestBroker broker) throws Exception {
        Map<String, Object> asRoot = new HashMap<>(SaslIT.as("PLAIN", "root", "r"));
        asRoot.put("bootstrap.servers", broker.bootstrapServers());
        asRoot.put("security.protocol", "SASL_SSL");
        asRoot.put("ssl.truststore.type", "PEM");
        asRoot.put("ssl.truststore.location", Encryption.certificate(directory).toString());
        try (Admin admin = Admin.create(asRoot)) {
            admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1), new NewTopic("salaries", 1, (short) 1)))
                    .all()
                    .get();
            admin.createAcls(List.of(new AclBinding(
                            new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.LITERAL),
                            new AccessControlEntry("User:alice", "*", AclOperation.READ, AclPermissionType.ALLOW))))
                    .all()
                    .get();
        }
    }

    private static String navigation(Browser browser) {
        return String.valueOf(browser.run("return document.querySelector('header').innerText"))
                .replace("Rivulet", "")
                .replaceAll("\\s+", " ")
                .strip();
    }
}

package io.rivulet.it;

import static io.rivulet.it.Certificates.certificate;
import static io.rivulet.it.Certificates.pem;
import static io.rivulet.it.Certificates.trusting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.tls.SelfSigned;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules of access name clients by their certificates. */
@SeveralBrokers
final class CertificateRightsIT {
    @TempDir
    private Path directory;

    private final SelfSigned server = certificate("server", List.of("localhost"));
    private final SelfSigned admin = certificate("admin", List.of());
    private final SelfSigned alice = certificate("Alice", List.of());

    private Admin as(TestBroker broker, SelfSigned shown) {
        Map<String, Object> settings = new HashMap<>(trusting(server));
        settings.putAll(pem(shown));
        settings.put("bootstrap.servers", broker.bootstrapServers());
        return Admin.create(settings);
    }

    @Test
    void aClientMayDoWhatTheRulesOfItsCertificateAllow() throws Exception {
        Map<String, String> settings = new HashMap<>(pem(server));
        settings.put("listeners", "SSL://localhost:0");
        settings.put("ssl.client.auth", "required");
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.certificates", admin.certificate() + alice.certificate());
        settings.put("ssl.principal.mapping.rules", "RULE:^CN=(.*)$/$1/L");
        settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        settings.put("super.users", "User:admin");
        try (TestBroker broker = TestBroker.start(directory.resolve("data"), settings);
                Admin admins = as(broker, admin);
                Admin hers = as(broker, alice)) {
            admins.createTopics(List.of(new NewTopic("hers", 1, (short) 1), new NewTopic("others", 1, (short) 1)))
                    .all()
                    .get();
            admins.createAcls(List.of(new AclBinding(
                            new ResourcePattern(ResourceType.TOPIC, "hers", PatternType.LITERAL),
                            new AccessControlEntry("User:alice", "*", AclOperation.DESCRIBE, AclPermissionType.ALLOW))))
                    .all()
                    .get();

            assertThat(hers.listTopics().names().get()).isEqualTo(Set.of("hers"));
            assertThatThrownBy(() -> hers.describeTopics(List.of("others"))
                            .allTopicNames()
                            .get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
    }
}

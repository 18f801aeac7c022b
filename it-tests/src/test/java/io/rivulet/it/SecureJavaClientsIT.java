package io.rivulet.it;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.SecureBroker.Way;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Java clients of all versions, each in its own process, with SCRAM over TLS and with certificates, where each user has
 * rules of access.
 */
@Tag("clients")
@SeveralBrokers
final class SecureJavaClientsIT {
    @TempDir
    private Path directory;

    private SecureBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new SecureBroker(directory);
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    private Programs.Outcome run(String program, String version, Way way, Login login) throws Exception {
        Path settings = login.settingsIn(directory.resolve("login.properties"));
        return JavaProgram.run(directory, version, List.of(), program, broker.servers(way), settings.toString());
    }

    private void runAsAlice(String program, String version, Way way) throws Exception {
        Programs.Outcome outcome = run(program, version, way, broker.login(way, "alice"));

        assertThat(outcome.out()).as(outcome.err()).contains("all is well with " + version);
        assertThat(outcome.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "2.8.2,CERTIFICATE",
        "2.8.2,SCRAM_SHA_512",
        "3.9.1,SCRAM_SHA_512",
        "4.3.1,CERTIFICATE",
        "4.4.0,SCRAM_SHA_512",
        "4.4.0,CERTIFICATE"
    })
    void groupsGoOnWhereTheyHaveCommitted(String version, Way way) throws Exception {
        broker.allow(way.principalOf("alice"), TOPIC, PREFIXED, "group-", READ, WRITE, CREATE);
        broker.allow(way.principalOf("alice"), GROUP, PREFIXED, "readers of group-", READ);

        runAsAlice("GroupRoundTrip.java", version, way);
    }

    @ParameterizedTest
    @CsvSource("4.4.0,CERTIFICATE")
    void transactionsAreWhole(String version, Way way) throws Exception {
        String alice = way.principalOf("alice");
        for (String id : List.of("writer", "carrier", "fenced")) {
            broker.allow(alice, TRANSACTIONAL_ID, LITERAL, id, WRITE);
        }
        for (String topic : List.of("in", "out", "fenced")) {
            broker.allow(alice, TOPIC, LITERAL, topic, READ, WRITE, CREATE);
        }
        broker.allow(alice, GROUP, LITERAL, "carriers", READ);

        runAsAlice("TransactionRoundTrip.java", version, way);
    }

    @ParameterizedTest
    @CsvSource("4.4.0,SCRAM_SHA_512")
    void anotherUserMayNot(String version, Way way) throws Exception {
        broker.allow(way.principalOf("alice"), TOPIC, PREFIXED, "group-", READ, WRITE, CREATE);

        Programs.Outcome outcome = run("GroupRoundTrip.java", version, way, broker.login(way, "bob"));

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.err()).contains("TopicAuthorizationException");
    }

    @ParameterizedTest
    @CsvSource({"2.8.2,SCRAM_SHA_512,SaslAuthenticationException", "4.4.0,CERTIFICATE,SslAuthenticationException"})
    void aWrongPasswordOrNoCertificateEndsTheClient(String version, Way way, String reason) throws Exception {
        assertThat(run("GroupRoundTrip.java", version, way, broker.wrongLogin(way))
                        .err())
                .contains(reason);
    }
}

package io.rivulet.it;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** librdkafka and Java clients get tokens of an identity provider, whose keys the broker fetches. */
@Tag("clients")
@SeveralBrokers
final class IdentityProviderIT {
    private static final int COUNT = 100;
    private static final String ISSUER = "rivulet";
    private static final String AUDIENCE = "kafka";

    private static IdentityProvider provider;

    @TempDir
    private Path directory;

    private SecureBroker broker;

    @BeforeAll
    static void startProvider() throws IOException {
        provider = new IdentityProvider();
    }

    @AfterAll
    static void stopProvider() {
        provider.close();
    }

    @BeforeEach
    void start() throws Exception {
        broker = new SecureBroker(
                directory,
                Map.of(
                        "sasl.enabled.mechanisms",
                        "SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
                        "sasl.oauthbearer.jwks.endpoint.url",
                        provider.keys(ISSUER),
                        "sasl.oauthbearer.expected.issuer",
                        provider.issuer(ISSUER),
                        "sasl.oauthbearer.expected.audience",
                        AUDIENCE));
        broker.allow("User:alice", TOPIC, PREFIXED, "group-", READ, WRITE, CREATE);
        broker.allow("User:alice", GROUP, PREFIXED, "readers of group-", READ);
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    private Login login(String user, String issuer, String audience) {
        return Login.tokens(broker.trusted(), provider.tokens(issuer), user, audience);
    }

    // ---- librdkafka ----

    private Programs.Outcome librdkafka(Login login, String input, String... arguments) throws Exception {
        ClientProgram.CONFLUENT_KAFKA.install();
        return ClientProgram.CONFLUENT_KAFKA.attempt(directory, login.environment(), input, arguments);
    }

    private Programs.Outcome produce(Login login, List<Message> messages) throws Exception {
        String input =
                messages.stream().map(message -> message.lineToSend() + "\n").collect(Collectors.joining());
        return librdkafka(login, input, "produce", broker.servers(), "group-of-tokens", "none");
    }

    @Test
    void librdkafkaDoesWhatTheRulesOfItsSubjectAllow() throws Exception {
        Login alice = login("alice", ISSUER, AUDIENCE);
        List<Message> messages = Message.some(COUNT);

        Programs.Outcome sent = produce(alice, messages);
        Programs.Outcome read = librdkafka(
                alice,
                "",
                "group",
                broker.servers(),
                "group-of-tokens",
                String.valueOf(COUNT),
                "readers of group-of-tokens");
        Programs.Outcome denied = produce(login("bob", ISSUER, AUDIENCE), messages);

        assertThat(sent.exitCode()).as(sent.err()).isZero();
        assertThat(read.exitCode()).as(read.err()).isZero();
        assertThat(read.out().lines().map(Message::parse)).isEqualTo(messages);
        assertThat(denied.exitCode()).isNotZero();
        assertThat(denied.err().toLowerCase(Locale.ROOT)).contains("authorization failed");
        assertThat(broker.end("group-of-tokens")).isEqualTo(COUNT);
    }

    @Test
    void librdkafkaIsNotLetInWithTokensOfAnotherIssuerOrForAnotherAudience() throws Exception {
        for (Login wrong : List.of(login("alice", "another", AUDIENCE), login("alice", ISSUER, "another"))) {
            Programs.Outcome outcome = produce(wrong, Message.some(1));

            assertThat(outcome.exitCode()).as(outcome.out()).isNotZero();
            assertThat(outcome.err()).contains("invalid_token");
        }
    }

    // ---- Java ----

    private Programs.Outcome java(String version, Login login) throws Exception {
        Path settings = login.settingsIn(directory.resolve("login.properties"));
        String allowed = "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls="
                + login.settings().get("sasl.oauthbearer.token.endpoint.url");
        return JavaProgram.run(
                directory, version, List.of(allowed), "GroupRoundTrip.java", broker.servers(), settings.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.9.1", "4.3.1", "4.4.0"})
    void aJavaClientDoesWhatTheRulesOfItsSubjectAllow(String version) throws Exception {
        Programs.Outcome outcome = java(version, login("alice", ISSUER, AUDIENCE));

        assertThat(outcome.out()).as(outcome.err()).contains("all is well with " + version);
    }

    @ParameterizedTest
    @CsvSource({
        "bob,rivulet,kafka,TopicAuthorizationException",
        "alice,another,kafka,SaslAuthenticationException",
        "alice,rivulet,another,SaslAuthenticationException"
    })
    void aJavaClientOfAnotherSubjectIssuerOrAudienceIsRefused(
            String user, String issuer, String audience, String reason) throws Exception {
        Programs.Outcome outcome = java("4.4.0", login(user, issuer, audience));

        assertThat(outcome.exitCode()).as(outcome.out()).isNotZero();
        assertThat(outcome.err()).contains(reason);
    }
}

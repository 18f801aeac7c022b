package io.rivulet.it;

import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.SecureBroker.Way;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of other languages with SCRAM over TLS and with certificates, where each user has rules of access. */
@Tag("clients")
@SeveralBrokers
final class SecureClientMatrixIT {
    private static final int COUNT = 100;
    /** Of clients that try a wrong login again and again. */
    private static final int PATIENCE_MS = 5000;

    @TempDir
    private static Path directory;

    private static SecureBroker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = new SecureBroker(directory);
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
    }

    static Stream<Arguments> clientsAndWays() {
        return Arrays.stream(ClientProgram.values())
                .flatMap(client -> Arrays.stream(Way.values()).map(way -> Arguments.of(client, way)));
    }

    /** Alice may read and write this topic in this group, and nothing else. */
    private static String topicOfAlice(Object client, Way way) throws Exception {
        String topic = client + "-" + way;
        broker.createTopic(topic);
        broker.allow(way.principalOf("alice"), TOPIC, LITERAL, topic, READ, WRITE);
        broker.allow(way.principalOf("alice"), GROUP, LITERAL, topic, READ);
        return topic;
    }

    private static String lines(List<Message> messages) {
        return messages.stream().map(message -> message.lineToSend() + "\n").collect(Collectors.joining());
    }

    @ParameterizedTest
    @MethodSource("clientsAndWays")
    void aUserDoesWhatItsRulesAllow(ClientProgram client, Way way) throws Exception {
        client.install();
        String topic = topicOfAlice(client, way);
        String servers = broker.servers(way);
        Map<String, String> alice = broker.login(way, "alice").environment();
        List<Message> messages = Message.some(COUNT);

        Programs.Outcome sent = client.attempt(directory, alice, lines(messages), "produce", servers, topic, "none");
        Programs.Outcome read =
                client.attempt(directory, alice, "", "group", servers, topic, String.valueOf(COUNT), topic);

        assertThat(sent.exitCode()).as(sent.err()).isZero();
        assertThat(read.exitCode()).as(read.err()).isZero();
        assertThat(read.out().lines().map(Message::parse)).isEqualTo(messages);
    }

    @ParameterizedTest
    @EnumSource
    void anotherUserMayNot(ClientProgram client) throws Exception {
        Way way = Way.CERTIFICATE;
        client.install();
        broker.createTopic("closed-to-" + client);
        Map<String, String> bob = broker.login(way, "bob").environment();
        String input = lines(Message.some(1));

        Programs.Outcome denied =
                client.attempt(directory, bob, input, "produce", broker.servers(way), "closed-to-" + client, "none");

        assertThat(denied.exitCode()).as(denied.out()).isNotZero();
        assertThat(denied.err().toLowerCase(Locale.ROOT)).containsPattern("authori[sz]");
        assertThat(broker.end("closed-to-" + client)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPasswordEndsTheClient(ClientProgram client) throws Exception {
        assertEnds(client, Way.SCRAM_SHA_512, "invalid credentials");
    }

    @ParameterizedTest
    @EnumSource
    void withoutACertificateTheClientEnds(ClientProgram client) throws Exception {
        assertEnds(client, Way.CERTIFICATE, "bad.certificate");
    }

    private static void assertEnds(ClientProgram client, Way way, String reason) throws Exception {
        client.install();
        Programs.Outcome outcome = client.attempt(
                directory,
                broker.wrongLogin(way).withPatience(PATIENCE_MS).environment(),
                lines(Message.some(1)),
                "produce",
                broker.servers(way),
                "nowhere",
                "none");

        assertThat(outcome.exitCode()).as(outcome.out()).isNotZero();
        assertThat(outcome.err().toLowerCase(Locale.ROOT)).containsPattern(reason);
    }

    // ---- kcat ----

    private static Programs.Outcome kcat(Way way, Login login, String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("kcat", "-b", broker.servers(way)));
        command.addAll(login.options());
        command.addAll(List.of(arguments));
        return Programs.runWithInput(directory, input, command.toArray(new String[0]));
    }

    @ParameterizedTest
    @EnumSource
    void aUserOfKcatDoesWhatItsRulesAllowAndNobodyElseDoes(Way way) throws Exception {
        Programs.require("kcat");
        String topic = topicOfAlice("kcat", way);
        Login alice = broker.login(way, "alice");

        Programs.Outcome denied = kcat(way, broker.login(way, "bob"), "b\n", "-P", "-t", topic);
        Programs.Outcome sent = kcat(way, alice, "a\nb\n", "-P", "-t", topic);
        Programs.Outcome read = kcat(way, alice, "", "-G", topic, "-o", "beginning", "-c", "2", "-q", topic);

        assertThat(denied.err()).contains("authorization failed");
        assertThat(sent.exitCode()).as(sent.err()).isZero();
        assertThat(read.out()).as(read.err()).isEqualTo("a\nb\n");
        assertThat(broker.end(topic)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"SCRAM_SHA_512,invalid credentials", "CERTIFICATE,bad certificate"})
    void aWrongPasswordOrNoCertificateEndsKcat(Way way, String reason) throws Exception {
        Programs.require("kcat");

        Programs.Outcome outcome = kcat(way, broker.wrongLogin(way), "a\n", "-P", "-t", "nowhere");

        assertThat(outcome.exitCode()).as(outcome.out()).isNotZero();
        assertThat(outcome.err()).contains(reason);
    }
}

package io.rivulet.it.acl;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tool.AclsTool;
import io.rivulet.it.SeveralBrokers;
import io.rivulet.it.TestBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command {@code rivulet acls}. */
@SeveralBrokers
final class AclsToolIT {
    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(
                directory,
                Map.of(
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        "super.users",
                        "User:ANONYMOUS"));
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private record Outcome(int exitCode, String text) {}

    private Outcome run(String... arguments) {
        List<String> words = new ArrayList<>(List.of("--bootstrap-server", broker.bootstrapServers()));
        words.addAll(List.of(arguments));
        StringWriter text = new StringWriter();
        int exitCode = new CommandLine(new AclsTool())
                .setOut(new PrintWriter(text))
                .setErr(new PrintWriter(text))
                .execute(words.toArray(String[]::new));
        return new Outcome(exitCode, text.toString());
    }

    @Test
    void rulesAreAddedListedAndRemovedAsInKafkasTool() {
        Outcome added = run(
                "--add",
                "--allow-principal",
                "User:alice",
                "--deny-principal",
                "User:eve",
                "--deny-host",
                "10.0.0.1",
                "--operation",
                "Read",
                "--operation",
                "ALTER_CONFIGS",
                "--topic",
                "orders-",
                "--resource-pattern-type",
                "prefixed");
        assertThat(added.exitCode).as(added.text).isZero();

        assertThat(run("--list").text)
                .contains(
                        "Current ACLs for resource `ResourcePattern(resourceType=TOPIC, name=orders-,"
                                + " patternType=PREFIXED)`:",
                        "\t(principal=User:alice, host=*, operation=READ, permissionType=ALLOW)",
                        "\t(principal=User:eve, host=10.0.0.1, operation=ALTER_CONFIGS, permissionType=DENY)");
        assertThat(run("--list", "--principal", "User:eve", "--json").text)
                .contains("\"principal\":\"User:eve\"")
                .doesNotContain("alice");
        assertThat(run("--list", "--topic", "orders-1").text).isEmpty();
        assertThat(run("--list", "--topic", "orders-1", "--resource-pattern-type", "match").text)
                .contains("alice");

        assertThat(run("--remove", "--topic", "orders-", "--resource-pattern-type", "any").exitCode)
                .isEqualTo(2);
        assertThat(run(
                                "--remove",
                                "--force",
                                "--topic",
                                "orders-",
                                "--resource-pattern-type",
                                "any",
                                "--allow-principal",
                                "User:alice",
                                "--operation",
                                "read")
                        .exitCode)
                .isZero();
        assertThat(run("--list").text)
                .doesNotContain("operation=READ, permissionType=ALLOW")
                .contains("User:eve");
        assertThat(run("--remove", "--force", "--topic", "orders-", "--resource-pattern-type", "any").exitCode)
                .isZero();
        assertThat(run("--list").text).isEmpty();
    }

    @Test
    void theRolesHaveTheRulesThatTheyNeed() {
        assertThat(run(
                                "--add",
                                "--producer",
                                "--idempotent",
                                "--consumer",
                                "--allow-principal",
                                "User:app",
                                "--topic",
                                "in",
                                "--group",
                                "g",
                                "--transactional-id",
                                "t")
                        .exitCode)
                .isZero();

        assertThat(run("--list", "--json").text.lines().filter(line -> line.contains("\"principal\"")))
                .hasSize(4 + 1 + 2 + 1);
        assertThat(run("--list", "--cluster").text).contains("operation=IDEMPOTENT_WRITE");
        assertThat(run("--list", "--group", "g").text)
                .contains("operation=READ")
                .doesNotContain("DESCRIBE");
    }

    @Test
    void whatKafkasToolRefusesIsRefused() {
        assertThat(run("--add", "--topic", "a").exitCode).isEqualTo(2);
        assertThat(run("--add", "--allow-principal", "User:a").exitCode).isEqualTo(2);
        assertThat(run("--add", "--allow-principal", "User:a", "--group", "g", "--operation", "Write").exitCode)
                .isEqualTo(2);
        assertThat(run("--add", "--allow-principal", "User:a", "--topic", "g", "--operation", "Fly").exitCode)
                .isEqualTo(2);
        assertThat(run("--add", "--allow-principal", "User:a", "--topic", "a", "--resource-pattern-type", "match")
                        .exitCode)
                .isEqualTo(2);
        assertThat(run("--add", "--allow-principal", "alice", "--topic", "a").exitCode)
                .isEqualTo(1);
    }
}

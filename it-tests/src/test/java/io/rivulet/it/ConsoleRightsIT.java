package io.rivulet.it;

import static io.rivulet.it.ConsoleClient.names;
import static io.rivulet.it.SecureConsole.rule;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The console shows each user what the rules of access allow. */
final class ConsoleRightsIT {
    private static final ResourcePattern ORDERS =
            new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.PREFIXED);

    @TempDir
    private static Path directory;

    private static SecureConsole console;

    @BeforeAll
    static void start() throws Exception {
        console = new SecureConsole(directory);
    }

    @AfterAll
    static void stop() throws IOException {
        console.close();
    }

    @Test
    void aSuperUserSeesEverything() throws Exception {
        JsonNode self = console.root().get("broker");
        assertThat(self.get("user").asString()).isEqualTo(SecureConsole.ROOT);
        assertThat(self.get("seesAll").asBoolean()).isTrue();
        assertThat(self.get("directory").asString()).isNotEmpty();
        assertThat(names(console.root().get("topics"), "name")).contains("orders", "orders.archive", "salaries");
        assertThat(names(console.root().get("groups"), "id")).contains("payroll");
        for (String page : new String[] {"settings", "storage", "history", "connections", "users", "rules", "quotas"}) {
            assertThat(console.root().status(page)).as(page).isEqualTo(200);
        }
        assertThat(console.root().status("messages", "topic", "salaries", "partition", 0))
                .isEqualTo(200);
    }

    @Test
    void aUserWithoutRightsSeesNothing() throws Exception {
        console.password("gina", "g");
        ConsoleClient gina = console.as("gina", "g");
        JsonNode self = gina.get("broker");
        assertThat(self.get("user").asString()).isEqualTo("gina");
        assertThat(self.get("seesAll").asBoolean()).isFalse();
        assertThat(self.get("seesSettings").asBoolean()).isFalse();
        assertThat(self.has("directory") || self.has("topics") || self.has("diskBytes"))
                .isFalse();
        JsonNode topics = gina.get("topics");
        assertThat(topics.has("all")).isFalse();
        assertThat(topics.get("count").asInt()).isZero();
        assertThat(names(topics, "name")).isEmpty();
        assertThat(names(gina.get("groups"), "id")).isEmpty();
        for (String page : new String[] {"settings", "storage", "history", "connections", "users", "rules", "quotas"}) {
            assertThat(gina.status(page)).as(page).isEqualTo(403);
        }
        for (String page : new String[] {"messages", "message", "download", "tail", "partitions", "producers"}) {
            assertThat(gina.status(page, "topic", "salaries", "partition", 0, "offset", 0))
                    .as(page)
                    .isIn(403, 404);
        }
        assertThat(gina.status("topic", "name", "salaries")).isEqualTo(404);
        assertThat(gina.status("group", "id", "payroll")).isEqualTo(403);
        assertThat(gina.status("group-offsets", "id", "payroll")).isEqualTo(403);
        assertThat(gina.tryChange("produce", "topic", "salaries", "partition", 0, "value", "x")
                        .statusCode())
                .isEqualTo(404);
        assertThat(gina.tryChange("topic-config", "topic", "salaries", "name", "retention.ms", "value", "1")
                        .statusCode())
                .isEqualTo(404);
        assertThat(gina.tryChange("group-offset", "id", "payroll", "topic", "salaries", "partition", 0, "offset", 0)
                        .statusCode())
                .isEqualTo(403);
        assertThat(gina.tryChange("group-delete", "id", "payroll").statusCode()).isEqualTo(403);
        assertThat(names(console.root().get("groups"), "id")).contains("payroll");
    }

    @Test
    void aUserSeesWhatTheRulesSay() throws Exception {
        console.password("alice", "a");
        console.allow(rule("alice", ORDERS, AclOperation.DESCRIBE));
        ConsoleClient alice = console.as("alice", "a");
        assertThat(names(alice.get("topics"), "name")).containsExactly("orders", "orders.archive");
        assertThat(alice.get("topics", "search", "arch").get("count").asInt()).isEqualTo(1);
        assertThat(alice.get("topic", "name", "orders")
                        .get("config")
                        .get("settings")
                        .size())
                .isZero();
        assertThat(alice.status("partitions", "topic", "orders")).isEqualTo(200);
        assertThat(alice.status("messages", "topic", "orders", "partition", 0)).isEqualTo(403);
        assertThat(alice.status("tail", "topic", "orders")).isEqualTo(403);

        console.allow(rule("alice", ORDERS, AclOperation.READ), rule("alice", ORDERS, AclOperation.DESCRIBE_CONFIGS));
        assertThat(alice.get("messages", "topic", "orders", "partition", 0)
                        .get("rows")
                        .size())
                .isEqualTo(1);
        assertThat(alice.get("topic", "name", "orders")
                        .get("config")
                        .get("settings")
                        .size())
                .isPositive();
        assertThat(alice.tryChange("produce", "topic", "orders", "partition", 0, "value", "x")
                        .statusCode())
                .isEqualTo(403);
        assertThat(replay(alice, "orders")).isEqualTo(403);

        console.allow(rule("alice", ORDERS, AclOperation.WRITE));
        assertThat(alice.change("produce", "topic", "orders.archive", "partition", 0, "value", "x")
                        .get("offset")
                        .asInt())
                .isZero();
        // What a user may write to, but not read, can't be copied.
        assertThat(replay(alice, "salaries")).isEqualTo(404);
    }

    /** Copies the first record of the topic. */
    private static int replay(ConsoleClient client, String topic) throws Exception {
        return client.tryChange(
                        "replay", "topic", topic, "partition", 0, "offset", 0, "to", "orders.archive", "toPartition", 0)
                .statusCode();
    }

    @Test
    void aTailEndsWhenTheRightDoes() throws Exception {
        console.password("hugo", "h");
        ResourcePattern orders = new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.LITERAL);
        AclBinding read = rule("hugo", orders, AclOperation.READ);
        console.allow(read);
        try (SSLSocket socket = console.socket()) {
            SecureConsole.send(
                    socket,
                    "tail?topic=orders",
                    "Host: localhost",
                    "Authorization: " + ConsoleClient.basic("hugo", "h"));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(answer.readLine()).startsWith("HTTP/1.1 200 ");
            console.admin().deleteAcls(List.of(read.toFilter())).all().get();
            while (answer.readLine() != null) {
                // The broker ends it; else this times out.
            }
        }
        assertThat(console.as("hugo", "h").status("tail", "topic", "orders")).isEqualTo(404);
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Those of Kafka's command line tools that consume as members of a group, or look after groups. */
final class GroupToolsIT {
    @TempDir
    private static Path directory;

    private static Broker broker;
    private static KafkaTools tools;

    @BeforeAll
    static void start() throws IOException {
        broker = TestBroker.start(directory.resolve("data"), Map.of("group.initial.rebalance.delay.ms", "0"));
        tools = new KafkaTools(directory, broker.bootstrapServers());
    }

    @AfterAll
    static void stop() throws IOException {
        tools.close();
        broker.close();
    }

    @Test
    void theConsoleConsumerGoesOnWhereItsGroupStopped() throws Exception {
        send("console", 4);

        assertThat(consume("console", "readers", 3)).isEqualTo("0\n1\n2\n");
        assertThat(consume("console", "readers", 1)).isEqualTo("3\n");
    }

    @Test
    void groupsAreListedAndDescribed() throws Exception {
        send("described", 5);
        consume("described", "listed", 2);

        assertThat(groups("--list").lines()).contains("listed");
        assertThat(groups("--list --state").lines().map(String::strip))
                .anyMatch(line -> line.matches("listed\\s+Empty"));
        assertThat(groups("--describe --group listed").lines())
                .anyMatch(line -> line.matches("listed +described +0 +(-|-1)? *2 +5 +3 +-.*"));
        assertThat(groups("--describe --state --group listed")).containsPattern("listed .*Empty +0");
        assertThat(tools.run("GroupsCommand", "--list").lines())
                .anyMatch(line -> line.matches("listed +Classic +consumer *"));
    }

    @Test
    void offsetsOfAGroupAreReset() throws Exception {
        send("rewound", 5);
        consume("rewound", "rewinders", 5);

        assertReset("--to-earliest", 0);
        assertReset("--to-latest", 5);
        assertReset("--shift-by -2", 3);
        assertReset("--to-offset 1", 1);
        assertReset("--to-datetime 2020-01-01T00:00:00.000", 0);
        assertReset("--by-duration P1D", 0);
        assertThat(consume("rewound", "rewinders", 2)).isEqualTo("0\n1\n");
    }

    @Test
    void groupsAndTheirOffsetsAreDeleted() throws Exception {
        send("dropped", 1);
        consume("dropped", "doomed", 1);

        assertThat(groups("--delete-offsets --group doomed --topic dropped"))
                .contains("Request succeeded for deleting offsets");
        groups("--reset-offsets --group doomed --topic dropped --to-latest --execute");
        assertThat(groups("--delete --group doomed")).contains("Deletion of requested consumer groups ('doomed')");
        assertThat(groups("--list").lines()).doesNotContain("doomed");
    }

    @Test
    void theConsumersOfTestsAreServed() throws Exception {
        send("load", 1000);

        assertThat(tools.run("ConsumerPerformance", "--topic load --num-records 1000 --hide-header")
                        .lines()
                        .reduce((first, last) -> last))
                .hasValueSatisfying(line -> assertThat(line.split(", ", -1)[4]).isEqualTo("1000"));
        assertThat(tools.run(
                        "VerifiableConsumer",
                        "--topic load --group-id verified --max-messages 1000 --reset-policy earliest"))
                .contains("\"name\":\"offsets_committed\"", "\"name\":\"shutdown_complete\"");
        assertThat(groups("--describe --group verified").lines())
                .anyMatch(line -> line.matches("verified +load +0 .* 1000 +1000 +0 +-.*"));
    }

    private static void assertReset(String to, long offset) throws Exception {
        assertThat(groups("--reset-offsets --group rewinders --topic rewound --execute " + to)
                        .lines())
                .anyMatch(line -> line.matches("rewinders +rewound +0 +" + offset + " *"));
    }

    /** Numbers from 0. */
    private static void send(String topic, int count) throws Exception {
        tools.run("TopicCommand", "--create --topic " + topic);
        String lines = IntStream.range(0, count).mapToObj(i -> i + "\n").collect(Collectors.joining());
        tools.runWithInput(lines, "ConsoleProducer", "--topic " + topic);
    }

    private static String consume(String topic, String group, int count) throws Exception {
        return tools.run(
                "consumer.ConsoleConsumer",
                "--topic " + topic + " --group " + group + " --from-beginning --timeout-ms 30000 --max-messages "
                        + count);
    }

    private static String groups(String arguments) throws Exception {
        return tools.run("consumer.group.ConsumerGroupCommand", arguments);
    }
}

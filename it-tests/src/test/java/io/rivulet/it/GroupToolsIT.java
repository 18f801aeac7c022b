package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka's command line tools that consume as members of a group or manage groups. The topic t has two partitions, each
 * with ten records from the first second of 1970.
 */
@SeveralBrokers
final class GroupToolsIT {
    @TempDir
    private static Path directory;

    private static TestBroker broker;
    private static KafkaTools tools;
    private static Admin admin;

    @BeforeAll
    static void start() throws Exception {
        broker = TestBroker.start(directory.resolve("data"), Map.of("group.initial.rebalance.delay.ms", "0"));
        tools = new KafkaTools(directory, broker.bootstrapServers());
        admin = Clients.admin(broker);
        admin.createTopics(List.of(new NewTopic("t", 2, (short) 1))).all().get();
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            records.add(new ProducerRecord<>("t", i % 2, 1000L + i, null, "value"));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, records);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        tools.close();
        broker.close();
    }

    @Test
    void theConsoleConsumerContinuesAtTheOffsetsOfItsGroup() throws Exception {
        send("console", 4);

        assertThat(consume("console", "readers", 3)).isEqualTo("0\n1\n2\n");
        assertThat(groups("--list")).contains("readers");
        assertThat(words("GroupsCommand", "--list")).contains("readers Classic consumer");
        assertThat(groups("--describe --group readers")).contains("readers console 0 3 4 1 - - -");
        assertThat(consume("console", "readers", 1)).isEqualTo("3\n");
        assertThat(groups("--reset-offsets --execute --group readers --topic console --by-duration P1D"))
                .contains("readers console 0 0");
        assertThat(consume("console", "readers", 2)).isEqualTo("0\n1\n");
    }

    @Test
    void lagIsPrintedWithAndWithoutMembers() throws Exception {
        commit("lagging", 4, 10);

        assertThat(groups("--describe --group lagging"))
                .contains("lagging t 0 4 10 6 - - -", "lagging t 1 10 10 0 - - -");
        assertThat(groups("--describe --group lagging --state")).anyMatch(line -> line.matches("lagging .*Empty 0"));
        try (GroupMember member = new GroupMember(
                broker, "busy", Map.of("session.timeout.ms", "6000"), consumer -> consumer.subscribe(List.of("t")))) {
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .untilAsserted(() -> assertThat(member.assignment()).hasSize(2));
            assertThat(groups("--describe --group busy --members"))
                    .anyMatch(line -> line.matches("busy consumer-.* 2"));
            assertThat(groups("--describe --group busy --state")).anyMatch(line -> line.matches(".* range Stable 1"));
            assertThat(groups("--list --state"))
                    .anyMatch(line -> line.matches("busy (Classic )?Stable"))
                    .anyMatch(line -> line.matches("lagging (Classic )?Empty"));
        }
    }

    @Test
    void offsetsAreResetInEveryScope() throws Exception {
        commit("reset", 5, 5);

        assertThat(reset("--to-earliest --all-topics")).contains("reset t 0 0", "reset t 1 0");
        assertThat(reset("--to-latest --topic t")).contains("reset t 0 10", "reset t 1 10");
        assertThat(reset("--to-offset 3 --topic t:1")).contains("reset t 1 3");
        assertThat(reset("--shift-by -2 --topic t:1")).contains("reset t 1 1");
        assertThat(reset("--to-datetime 1970-01-01T00:00:01.010 --topic t:0")).contains("reset t 0 5");
        assertThat(reset("--to-current --all-topics")).contains("reset t 0 5", "reset t 1 1");
    }

    @Test
    void offsetsAndGroupsAreDeleted() throws Exception {
        commit("doomed", 5, 5);

        assertThat(groups("--delete-offsets --group doomed --topic t:0"))
                .anyMatch(line -> line.contains("Request succeeded for deleting offsets"))
                .anyMatch(line -> line.contains("Successful"));
        assertThat(groups("--describe --group doomed"))
                .contains("doomed t 1 5 10 5 - - -")
                .noneMatch(line -> line.startsWith("doomed t 0"));
        groups("--reset-offsets --group doomed --topic t --to-latest --execute");
        assertThat(groups("--delete-offsets --group doomed --topic t"))
                .anyMatch(line -> line.contains("Request succeeded for deleting offsets"));
        groups("--reset-offsets --group doomed --topic t --to-latest --execute");
        assertThat(groups("--delete --group doomed"))
                .anyMatch(line -> line.contains("Deletion of requested consumer groups ('doomed') was successful."));
        assertThat(groups("--list")).doesNotContain("doomed");
    }

    @Test
    void consumerPerformanceAndVerifiableConsumerWork() throws Exception {
        send("load", 1000);

        assertThat(tools.run("ConsumerPerformance", "--topic load --num-records 1000 --hide-header")
                        .lines()
                        .reduce((first, last) -> last))
                .hasValueSatisfying(line -> assertThat(line.split(", ", -1)[4]).isEqualTo("1000"));
        assertThat(tools.run(
                        "VerifiableConsumer",
                        "--topic load --group-id verified --max-messages 1000 --reset-policy earliest"))
                .contains("\"name\":\"offsets_committed\"", "\"name\":\"shutdown_complete\"");
        assertThat(groups("--describe --group verified")).contains("verified load 0 1000 1000 0 - - -");
    }

    private static void commit(String group, long first, long second) throws Exception {
        admin.alterConsumerGroupOffsets(
                        group,
                        Map.of(
                                new TopicPartition("t", 0), new OffsetAndMetadata(first),
                                new TopicPartition("t", 1), new OffsetAndMetadata(second)))
                .all()
                .get();
    }

    /** Sends numbers from 0. */
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

    private static List<String> reset(String how) throws Exception {
        return groups("--reset-offsets --execute --group reset " + how);
    }

    private static List<String> groups(String arguments) throws Exception {
        return words("consumer.group.ConsumerGroupCommand", arguments);
    }

    /** The lines that a tool prints, with single spaces. */
    private static List<String> words(String tool, String arguments) throws Exception {
        return tools.run(tool, arguments)
                .lines()
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .toList();
    }
}

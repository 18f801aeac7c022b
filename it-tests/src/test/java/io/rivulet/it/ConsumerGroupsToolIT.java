package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** kafka-consumer-groups, as people use it: lag, resets, deletions. */
final class ConsumerGroupsToolIT {
    @TempDir
    private static Path directory;

    private static Broker broker;
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
    void lagIsToldWithAndWithoutMembers() throws Exception {
        commit("lagging", 4, 10);

        assertThat(words("--describe --group lagging"))
                .contains("lagging t 0 4 10 6 - - -", "lagging t 1 10 10 0 - - -");
        assertThat(words("--describe --group lagging --state")).anyMatch(line -> line.contains("Empty"));
        try (GroupMember member = new GroupMember(
                broker, "busy", Map.of("session.timeout.ms", "6000"), consumer -> consumer.subscribe(List.of("t")))) {
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .untilAsserted(() -> assertThat(member.assignment()).hasSize(2));
            assertThat(words("--describe --group busy --members")).anyMatch(line -> line.matches("busy consumer-.* 2"));
            assertThat(words("--describe --group busy --state")).anyMatch(line -> line.matches(".* range Stable 1"));
            assertThat(words("--list --state")).anyMatch(line -> line.matches("busy (Classic )?Stable"));
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

        assertThat(words("--delete-offsets --group doomed --topic t:0")).anyMatch(line -> line.contains("Successful"));
        assertThat(words("--describe --group doomed")).contains("doomed t 1 5 10 5 - - -");
        assertThat(words("--delete --group doomed"))
                .anyMatch(line -> line.contains("Deletion of requested consumer groups ('doomed') was successful."));
        assertThat(words("--list")).doesNotContain("doomed");
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

    private static List<String> reset(String how) throws Exception {
        return words("--reset-offsets --execute --group reset " + how);
    }

    /** The lines of what it says, words separated by one space. */
    private static List<String> words(String arguments) throws Exception {
        return tools.run("consumer.group.ConsumerGroupCommand", arguments)
                .lines()
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .toList();
    }
}

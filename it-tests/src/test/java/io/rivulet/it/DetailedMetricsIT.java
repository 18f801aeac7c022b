package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.HttpPage.Answer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page /metrics/detailed: partitions and offsets whose names match. */
final class DetailedMetricsIT {
    private static final int TOPICS = 30;
    private static final int PARTITIONS = 4;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, Map.of("rivulet.http.listener", "localhost:0"));
        admin = Clients.admin(broker);
        List<NewTopic> topics = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
            topics.add(new NewTopic("topic-" + i, PARTITIONS, (short) 1));
        }
        admin.createTopics(topics).all().get();
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            List<ProducerRecord<String, String>> records = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                records.add(new ProducerRecord<>("topic-7", i % 2, null, "value-" + i));
            }
            Clients.sendAll(producer, records);
        }
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void commit(String group, String topic, int partition, long offset) throws Exception {
        admin.alterConsumerGroupOffsets(
                        group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
                .all()
                .get();
    }

    private Answer page(String query) throws Exception {
        return HttpPage.get("http://localhost:"
                + Objects.requireNonNull(broker.httpAddress()).getPort() + "/metrics/detailed" + query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Map<String, Double> samples(String query) throws Exception {
        Answer answer = page(query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        Map<String, Double> samples = new HashMap<>();
        answer.body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        });
        return samples;
    }

    @Test
    void partitionsOfTopicsThatMatchAreThereOneByOne() throws Exception {
        admin.deleteRecords(Map.of(new TopicPartition("topic-7", 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();

        Map<String, Double> samples = samples("?topic=" + encoded("topic-[78]"));

        assertThat(samples)
                .hasSize(2 + 2 * 2 * PARTITIONS)
                .containsEntry("kafka_topic_partitions{topic=\"topic-7\"}", 4.0)
                .containsEntry("kafka_topic_partition_current_offset{topic=\"topic-7\",partition=\"1\"}", 5.0)
                .containsEntry("kafka_topic_partition_oldest_offset{topic=\"topic-7\",partition=\"0\"}", 2.0)
                .containsEntry("kafka_topic_partition_current_offset{topic=\"topic-8\",partition=\"3\"}", 0.0);
    }

    @Test
    void offsetsOfGroupsThatMatchAreThereOneByOne() throws Exception {
        commit("app", "topic-7", 0, 1);
        commit("app", "topic-7", 1, 5);
        commit("app", "topic-8", 0, 0);
        commit("application", "topic-7", 0, 0);

        assertThat(samples("?group=app"))
                .hasSize(1 + 2 * 3)
                .containsEntry("rivulet_detailed_consumergroup_members{consumergroup=\"app\"}", 0.0)
                .containsEntry(
                        "rivulet_detailed_consumergroup_lag{consumergroup=\"app\",topic=\"topic-7\",partition=\"0\"}",
                        4.0)
                .containsEntry(
                        "rivulet_detailed_consumergroup_current_offset"
                                + "{consumergroup=\"app\",topic=\"topic-7\",partition=\"1\"}",
                        5.0);
        assertThat(samples("?group=app.*&topic=topic-8").keySet())
                .filteredOn(key -> key.startsWith("rivulet_detailed_consumergroup_lag"))
                .containsExactly(
                        "rivulet_detailed_consumergroup_lag{consumergroup=\"app\",topic=\"topic-8\",partition=\"0\"}");
    }

    @Test
    void anAnswerIsWholeOrRefused() throws Exception {
        assertThat(samples("?topic=.*&limit=" + TOPICS * PARTITIONS)).hasSize(TOPICS * (1 + 2 * PARTITIONS));
        Answer refused = page("?topic=.*&limit=" + (TOPICS * PARTITIONS - 1));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("more than 119").contains("raise the limit");

        for (int i = 0; i < 3; i++) {
            commit("app", "topic-" + i, 0, 0);
        }
        assertThat(samples("?group=app&limit=4")).hasSize(1 + 2 * 3);
        assertThat(page("?group=app&limit=3").status()).isEqualTo(400);
    }

    @Test
    void whatMatchesNothingIsNoError() throws Exception {
        assertThat(samples("?topic=nothing&group=nobody")).isEmpty();
        assertThat(samples("?topic=")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                              | choose with topic=REGEX, group=REGEX or both",
                "?limit=5                        | choose with topic=REGEX, group=REGEX or both",
                "?topic=a&limit=9223372036854775808 | limit must be a number from 1 to 20000",
                "?topic=a&limit=0                | limit must be a number from 1 to 20000",
                "?topic=a&limit=-1               | limit must be a number from 1 to 20000",
                "?topic=a&limit=20001            | limit must be a number from 1 to 20000",
                "?topic=a&limit=many             | limit must be a number from 1 to 20000",
                "?topic=a&topic=b                | topic is there 2 times",
                "?topics=a                       | there is no parameter 'topics'; known are: topic, group, limit",
                "?topic=%5B                      | topic `[` is not a valid regular expression",
                "?group=(                        | group `(` is not a valid regular expression",
                "?group=%28%3Fi%29%C3%A4         | can't be folded"
            })
    void aQuestionThatIsWrongSaysWhy(String query, String why) throws Exception {
        Answer answer = page(query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(((((a{100}){100}){100}){100}){100}){100}",
                "(a|b|c|d|e|f|g|h){1000}{1000}",
                "((((((((((((((((((((((((((((a)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*)*",
                "(topic|opic|pic|ic|c|-|.*)*(topic|.*){50}x",
                "[\\p{L}\\p{N}\\p{S}\\p{P}]{50}"
            })
    void aHostileExpressionEnds(String regex) throws Exception {
        Answer answer = page("?topic=" + encoded(regex) + "&group=" + encoded(regex));

        assertThat(answer.status()).isIn(200, 400);
        assertThat(page("?topic=topic-7").status()).isEqualTo(200);
    }
}

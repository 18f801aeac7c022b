package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions of clients of other languages: no reader sees an aborted record, and each record is processed once. */
@SeveralBrokers
final class TransactionalClientsIT {
    private static final List<String> COMMITTED = Stream.of("first", "second")
            .flatMap(name -> IntStream.range(0, 5).mapToObj(i -> name + " " + i))
            .toList();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"CONFLUENT_KAFKA", "FRANZ_GO"})
    void whatItProcessesIsThereOnce(ClientProgram client) throws Exception {
        client.install();
        try (TestBroker broker =
                        TestBroker.start(directory.resolve("data"), Map.of("group.initial.rebalance.delay.ms", "0"));
                Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("in", 1, (short) 1), new NewTopic("in-out", 1, (short) 1)))
                    .all()
                    .get();
            List<Message> processed =
                    client.processInTransactions(directory, broker.bootstrapServers(), "in", "processors");

            assertThat(processed).map(TransactionalClientsIT::value).isEqualTo(COMMITTED);
            TopicPartition in = new TopicPartition("in", 0);
            TopicPartition out = new TopicPartition("in-out", 0);
            assertThat(values(broker, out, COMMITTED.size(), "read_committed"))
                    .isEqualTo(COMMITTED.stream()
                            .map(value -> value + " processed")
                            .toList());
            // there were records to abort
            assertThat(values(broker, in, 15, "read_uncommitted")).contains("aborted 0");
            assertThat(values(broker, out, 2 * COMMITTED.size(), "read_uncommitted"))
                    .startsWith("first 0 processed");
            long committed = admin.listConsumerGroupOffsets("processors")
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(in)
                    .offset();
            assertThat(committed)
                    .isGreaterThan(processed.get(processed.size() - 1).offset());
        }
    }

    private static List<String> values(TestBroker broker, TopicPartition partition, int count, String isolation) {
        return Clients.read(broker, partition, count, Map.of("isolation.level", isolation)).stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    private static String value(Message message) {
        return new String(HexFormat.of().parseHex(String.valueOf(message.value())), StandardCharsets.UTF_8);
    }
}

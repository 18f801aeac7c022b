package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own tool for transactions: lists and describes them, finds hanging ones, and aborts. */
@SeveralBrokers
final class TransactionsToolIT {
    private static final String TOOL = "TransactionsCommand";

    @TempDir
    private static Path directory;

    private static TestBroker broker;
    private static KafkaTools tools;

    @BeforeAll
    static void start() throws Exception {
        broker = TestBroker.start(directory.resolve("data"));
        tools = new KafkaTools(directory, broker.bootstrapServers());
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("orders", 2, (short) 1)))
                    .all()
                    .get();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        tools.close();
        broker.close();
    }

    private static KafkaProducer<String, String> begun(String id, int partition) throws Exception {
        KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", id),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("orders", partition, null, "value")).get();
        return producer;
    }

    @Test
    void transactionsAreListedDescribedAndAborted() throws Exception {
        try (KafkaProducer<String, String> producer = begun("seen", 0)) {
            assertThat(tools.run(TOOL, "list").lines())
                    .anyMatch(line -> line.matches("seen\\s+\\d+\\s+\\d+\\s+Ongoing\\s*"));
            assertThat(tools.run(TOOL, "list --duration-filter 86400000").lines())
                    .noneMatch(line -> line.startsWith("seen"));
            assertThat(tools.run(TOOL, "describe --transactional-id seen"))
                    .contains("Ongoing")
                    .contains("orders-0");
            assertThat(tools.run(TOOL, "describe-producers --topic orders --partition 0")
                            .lines())
                    .anyMatch(line -> line.matches("\\d+\\s+\\d+\\s+-1\\s+0\\s+\\d+\\s+0\\s*"));
            assertThat(tools.run(TOOL, "find-hanging --topic orders --partition 0 --max-transaction-timeout 0")
                            .lines())
                    .hasSize(1); // the coordinator knows it

            tools.run(TOOL, "abort --topic orders --partition 0 --start-offset 0");
            assertThat(tools.run(TOOL, "describe-producers --topic orders --partition 0"))
                    .doesNotContainPattern("\\d+\\s+\\d+\\s+-?\\d+\\s+0\\s+\\d+\\s+0\\s*\\n");
            producer.abortTransaction();
            assertThat(tools.run(TOOL, "describe --transactional-id seen")).contains("CompleteAbort");
        }
    }

    @Test
    void anIdIsFencedAndItsTransactionAborted() throws Exception {
        try (KafkaProducer<String, String> producer = begun("forced", 1)) {
            tools.run(TOOL, "forceTerminateTransaction --transactionalId forced");

            assertThat(tools.run(TOOL, "describe --transactional-id forced")).doesNotContain("Ongoing");
            assertThatThrownBy(producer::commitTransaction).isInstanceOf(ProducerFencedException.class);
        }
    }
}

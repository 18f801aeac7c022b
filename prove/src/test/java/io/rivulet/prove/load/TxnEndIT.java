package io.rivulet.prove.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.process.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.SenderStall;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka's client may end a transaction before it has sent its records; then they become part of the next one. The
 * loads must not do what leads to that.
 */
final class TxnEndIT {
    private static final String TOPIC = "transactions";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void recordsOfAnAbortedTransactionAreNotInTheNextOne() throws Exception {
        try (BrokerProcess broker = start()) {
            int port = broker.awaitReady();
            assertThat(valuesAfterAnAbort(port)).containsExactly("first", "last");
        }
    }

    private static List<String> valuesAfterAnAbort(int port) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(port, Map.of("transactional.id", "t"))) {
            producer.initTransactions();
            begin(producer, "first");
            TxnEnd.COMMITTED.end(producer);
            try (SenderStall stall = SenderStall.of(producer)) {
                stall.begin(producer);
                begin(producer, "aborted");
                end(producer, stall);
            }
            begin(producer, "last");
            TxnEnd.COMMITTED.end(producer);
        }
        return Clients.readAll(port, Clients.partitions(TOPIC, 1), "read_committed").stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    private BrokerProcess start() throws Exception {
        return BrokerProcess.start(
                directory,
                List.of("-Xmx256m"),
                Map.of(),
                Map.of(
                        "listeners",
                        "PLAINTEXT://localhost:0",
                        "log.dirs",
                        directory.resolve("data").toString()));
    }

    private static void begin(KafkaProducer<String, String> producer, String value) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(TOPIC, 0, "", value));
    }

    /** The sender thread goes on when the caller waits for it. */
    private static void end(KafkaProducer<String, String> producer, SenderStall stall) throws InterruptedException {
        Thread ending = new Thread(() -> TxnEnd.ABORTED.end(producer));
        ending.start();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() ->
                        ending.getState() == Thread.State.WAITING || ending.getState() == Thread.State.TIMED_WAITING);
        stall.close();
        ending.join(PATIENCE.toMillis());
        assertThat(ending.isAlive()).isFalse();
    }
}

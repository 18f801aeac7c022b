package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lists of aborted transactions, and markers. Neither may grow forever. */
final class TransactionStateIT {
    private static final int WRITERS = 100;
    /** With 32 bytes each, more than a budget of 1 MiB. */
    private static final int ABORTS = 33_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    /** Compacts each second. */
    private static final List<String> EAGER = List.of(
            "--override=log.cleaner.min.cleanable.ratio=0.01",
            "--override=log.roll.ms=1",
            "--override=log.cleaner.backoff.ms=100",
            "--override=log.cleaner.delete.retention.ms=100");

    private ServerProcess start(List<String> more) throws IOException {
        List<String> arguments = new ArrayList<>(more);
        arguments.add("--override=listeners=PLAINTEXT://localhost:0");
        arguments.add("--override=rivulet.transactions.bytes=" + (1 << 20));
        arguments.add("--override=rivulet.create.topics=table:1:1:compact,whole:1,other:1");
        arguments.add("--override=log.retention.ms=-1");
        return ServerProcess.start(directory, arguments.toArray(String[]::new));
    }

    @Test
    void abortedTransactionsOfACompactedTopicAreForgottenWithTheirRecords() throws Exception {
        try (ServerProcess server = start(EAGER)) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            try (RawTransactions aborting = new RawTransactions(port, "aborting", WRITERS)) {
                int[] aborted = {0};
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
                    aborted[0] += aborting.round("table", "aborted", false);
                    return aborted[0] >= ABORTS;
                });
            }
            await().atMost(PATIENCE).until(() -> commits(port, "table", "first"));
            unharmed.assertStill();
            server.kill();
        }
        try (ServerProcess server = start(EAGER)) {
            int port = server.awaitReady();
            assertThat(commits(port, "table", "second")).isTrue();
            assertThat(lastCommitted(port, "table")).isEqualTo("second");
        }
    }

    @Test
    void onlyATopicWithoutDeletionsIsRefused() throws Exception {
        try (ServerProcess server = start(List.of())) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            try (RawTransactions aborting = new RawTransactions(port, "aborting", WRITERS)) {
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> aborting.round("whole", "aborted", false) == 0);
                assertThat(aborting.listedAsAborted("whole", 2_000)).isLessThan(100);
            }
            assertThat(commits(port, "whole", "refused")).isFalse();
            assertThat(commits(port, "other", "first")).isTrue();
            unharmed.assertStill();
            server.kill();
        }
        try (ServerProcess server = start(List.of())) {
            int port = server.awaitReady();
            assertThat(commits(port, "whole", "refused")).isFalse();
            assertThat(commits(port, "other", "second")).isTrue();
            assertThat(lastCommitted(port, "other")).isEqualTo("second");
        }
    }

    @Test
    void markersOfACompactedTopicExpire() throws Exception {
        try (ServerProcess server = start(EAGER)) {
            int port = server.awaitReady();
            try (RawTransactions committing = new RawTransactions(port, "committing", 10);
                    Wire wire = new Wire(port)) {
                for (int i = 0; i < 100; i++) {
                    assertThat(committing.round("table", "value-" + i, true)).isEqualTo(10);
                }
                await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                    committing.round("table", "last", true);
                    assertThat(wire.batches("table").size()).isLessThan(100);
                });
            }
            assertThat(lastCommitted(port, "table")).isEqualTo("last");
        }
    }

    private static boolean commits(int port, String topic, String value) throws IOException {
        try (RawTransactions good = new RawTransactions(port, "good-" + topic, 1)) {
            return good.round(topic, value, true) == 1;
        }
    }

    /** The last record of a reader with read_committed. */
    private static String lastCommitted(int port, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer("localhost:" + port, Map.of("isolation.level", "read_committed"))) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            String[] last = {""};
            await().atMost(PATIENCE).until(() -> {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    assertThat(record.value()).isNotEqualTo("aborted");
                    last[0] = record.value();
                }
                return consumer.position(partition) >= end;
            });
            return last[0];
        }
    }
}

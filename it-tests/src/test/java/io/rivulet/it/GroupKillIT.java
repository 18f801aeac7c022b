package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member commits and commits, while the broker is killed again and again. */
final class GroupKillIT {
    private static final int KILLS = Integer.getInteger("rivulet.kills", 20);
    private static final int COMMITS_PER_ROUND = 30;
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    @TempDir
    private Path directory;

    private final AtomicLong attempted = new AtomicLong(-1);
    private final AtomicLong acknowledged = new AtomicLong(-1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean ended;

    @Test
    void noCommitThatWasAcknowledgedIsLostOrGoesBackAndTheGroupGoesOnByItself() throws Exception {
        int port = freePort();
        Thread member = new Thread(() -> commitOn(port), "member");
        long before = -1;
        for (int round = 0; round <= KILLS; round++) {
            try (ServerProcess server = ServerProcess.start(
                    directory,
                    "--override=listeners=PLAINTEXT://localhost:" + port,
                    "--override=group.initial.rebalance.delay.ms=0")) {
                server.awaitReady();
                try (Admin admin = Admin.create(Map.of("bootstrap.servers", "localhost:" + port))) {
                    if (round == 0) {
                        admin.createTopics(List.of(new NewTopic("t", 1, (short) 1)))
                                .all()
                                .get();
                        member.start();
                    } else {
                        // Acknowledged is read first: what is committed meanwhile is only more.
                        long least = acknowledged.get();
                        long committed = committed(admin);
                        assertThat(committed)
                                .as("round %d", round)
                                .isGreaterThanOrEqualTo(least)
                                .isGreaterThanOrEqualTo(before)
                                .isLessThanOrEqualTo(attempted.get());
                        before = committed;
                    }
                }
                long from = acknowledged.get();
                Awaitility.await()
                        .atMost(Clients.PATIENCE)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> failure.get() != null || acknowledged.get() >= from + COMMITS_PER_ROUND);
                assertThat(failure.get()).isNull();
                ended = round == KILLS;
                if (ended) {
                    member.join();
                }
                server.kill();
            }
        }
        assertThat(failure.get()).isNull();
    }

    private static long committed(Admin admin) throws Exception {
        return admin.listConsumerGroupOffsets("g")
                .partitionsToOffsetAndMetadata()
                .get()
                .get(PARTITION)
                .offset();
    }

    /** Every offset is higher than the one before. */
    private void commitOn(int port) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "bootstrap.servers", "localhost:" + port,
                "group.id", "g",
                "enable.auto.commit", false,
                "reconnect.backoff.ms", "20",
                "reconnect.backoff.max.ms", "100",
                "retry.backoff.ms", "20"));
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("t"));
            while (!ended) {
                consumer.poll(Duration.ofMillis(1));
                if (!consumer.assignment().isEmpty()) {
                    commit(consumer, attempted.incrementAndGet());
                }
            }
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private void commit(KafkaConsumer<byte[], byte[]> consumer, long offset) {
        try {
            consumer.commitSync(Map.of(PARTITION, new OffsetAndMetadata(offset)), Duration.ofMillis(500));
            acknowledged.set(offset);
        } catch (RetriableException | RebalanceInProgressException | CommitFailedException e) {
            // Whether it counts, nobody knows; the next one does.
            attempted.accumulateAndGet(offset, Math::max);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

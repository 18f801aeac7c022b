package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members commit all the time while the broker is killed again and again. */
@Tag("faults")
@SeveralBrokers
final class GroupKillIT {
    private static final int KILLS = Integer.getInteger("rivulet.kills", 20);
    private static final int COMMITS_PER_ROUND = 30;
    private static final int MEMBERS = 2;
    private static final String TOPIC = "t";

    @TempDir
    private Path directory;

    /** The highest offset of each partition that was sent. */
    private final AtomicLongArray attempted = new AtomicLongArray(MEMBERS);

    private final AtomicLongArray acknowledged = new AtomicLongArray(MEMBERS);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean ended;

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void noCommitThatWasAcknowledgedIsLostOrGoesBackAndTheGroupGoesOnByItself(String protocol) throws Exception {
        try (BrokerProcesses brokers = BrokerProcesses.start(
                directory,
                "--override=group.initial.rebalance.delay.ms=0",
                "--override=group.consumer.heartbeat.interval.ms=100")) {
            String servers = brokers.servers();
            List<Thread> members = Stream.generate(() -> new Thread(() -> commitOn(servers, protocol), "member"))
                    .limit(MEMBERS)
                    .toList();
            long[] before = new long[MEMBERS];
            for (int round = 0; round <= KILLS; round++) {
                try (Admin admin = Clients.admin(servers)) {
                    if (round == 0) {
                        admin.createTopics(List.of(new NewTopic(TOPIC, MEMBERS, (short) 1)))
                                .all()
                                .get();
                        members.forEach(Thread::start);
                    } else {
                        check(round, admin, before);
                    }
                }
                awaitCommits();
                ended = round == KILLS;
                if (ended) {
                    for (Thread member : members) {
                        member.join();
                    }
                } else {
                    brokers.kill();
                    brokers.startAgain();
                }
            }
        }
        assertThat(failure.get()).isNull();
    }

    /** Reads the acknowledged offsets first, because committed offsets only grow. */
    private void check(int round, Admin admin, long[] before) throws Exception {
        for (int partition = 0; partition < MEMBERS; partition++) {
            long least = acknowledged.get(partition);
            long committed = committed(admin, partition);
            assertThat(committed)
                    .as("round %d, partition %d", round, partition)
                    .isGreaterThanOrEqualTo(least)
                    .isGreaterThanOrEqualTo(before[partition])
                    .isLessThanOrEqualTo(attempted.get(partition));
            before[partition] = committed;
        }
    }

    private static long committed(Admin admin, int partition) throws Exception {
        OffsetAndMetadata committed = admin.listConsumerGroupOffsets("g")
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(TOPIC, partition));
        return committed == null ? 0 : committed.offset();
    }

    /** Waits for more commits of each partition. */
    private void awaitCommits() {
        long[] from = IntStream.range(0, MEMBERS).mapToLong(acknowledged::get).toArray();
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> failure.get() != null
                        || IntStream.range(0, MEMBERS)
                                .allMatch(partition ->
                                        acknowledged.get(partition) >= from[partition] + COMMITS_PER_ROUND));
        assertThat(failure.get()).isNull();
    }

    /** Commits rising offsets. */
    private void commitOn(String servers, String protocol) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "bootstrap.servers", servers,
                "group.id", "g",
                "group.protocol", protocol,
                "enable.auto.commit", false,
                "reconnect.backoff.ms", "20",
                "reconnect.backoff.max.ms", "100",
                "retry.backoff.ms", "20"));
        if (protocol.equals("classic")) {
            settings.put("heartbeat.interval.ms", "100");
        }
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (!ended) {
                consumer.poll(Duration.ofMillis(1));
                for (TopicPartition partition : consumer.assignment()) {
                    commit(consumer, partition, attempted.incrementAndGet(partition.partition()));
                }
            }
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private void commit(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long offset) {
        try {
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset)), Duration.ofMillis(500));
            acknowledged.accumulateAndGet(partition.partition(), offset, Math::max);
        } catch (RetriableException | RebalanceInProgressException | CommitFailedException e) {
            // the outcome of this commit is unknown; the next one shows it
        }
    }
}

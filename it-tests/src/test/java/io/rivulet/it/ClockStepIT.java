package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.ClockShim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wall clock of a running broker is set to a wrong time, with default retention and frequent checks. */
@Tag("faults")
final class ClockStepIT {
    private static final int RECORDS = 100;
    private static final String GROUP = "readers";
    private static final String TRANSACTIONAL_ID = "writer";
    private static final TopicPartition PARTITION = new TopicPartition("kept", 0);
    /** Within this time, all maintenance and all expiries run at least once. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    @TempDir
    private Path directory;

    private ServerProcess start(ClockShim clock, int port, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "--override=listeners=PLAINTEXT://localhost:" + port,
                "--override=log.message.timestamp.before.max.ms=86400000",
                "--override=offsets.retention.check.interval.ms=200",
                "--override=transaction.remove.expired.transaction.cleanup.interval.ms=200"));
        arguments.addAll(List.of(more));
        ServerProcess.Launch launch = ServerProcess.in(directory);
        clock.environment().forEach(launch::environment);
        return launch.start(arguments.toArray(new String[0]));
    }

    private static void fill(String servers) throws Exception {
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            records.add(new ProducerRecord<>(PARTITION.topic(), "value-" + i));
        }
        try (KafkaProducer<String, String> producer =
                Clients.producer(servers, Map.of("transactional.id", TRANSACTIONAL_ID))) {
            producer.initTransactions();
            producer.beginTransaction();
            Clients.sendAll(producer, records);
            producer.commitTransaction();
        }
    }

    private static boolean holdsEverything(Admin admin) throws Exception {
        return start(admin) == 0
                && !admin.listConsumerGroupOffsets(GROUP)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .isEmpty()
                && admin.listTransactions().all().get().stream()
                        .anyMatch(listed -> listed.transactionalId().equals(TRANSACTIONAL_ID));
    }

    private static long start(Admin admin) throws Exception {
        return admin.listOffsets(Map.of(PARTITION, OffsetSpec.earliest()))
                .partitionResult(PARTITION)
                .get()
                .offset();
    }

    private static void requireAllOverAWhile(Admin admin) {
        Awaitility.await().during(SHORT).atMost(Clients.PATIENCE).until(() -> holdsEverything(admin));
    }

    /** Records, committed offsets and transactional ids are kept for a week. */
    @Test
    void shortJumpsOfTheClockDeleteNothing() throws Exception {
        ClockShim clock = ClockShim.compile(directory);
        try (ServerProcess server = start(clock, 0)) {
            int port = server.awaitReady();
            String servers = "localhost:" + port;
            Unharmed unharmed = Unharmed.before(server, port);
            try (Admin admin = Clients.admin(servers);
                    KafkaProducer<String, String> rightInTime = Clients.producer(servers, Map.of())) {
                fill(servers);
                admin.alterConsumerGroupOffsets(GROUP, Map.of(PARTITION, new OffsetAndMetadata(7)))
                        .all()
                        .get();
                for (Duration shift : List.of(Duration.ofDays(8), Duration.ofDays(-8), Duration.ofDays(27_000))) {
                    clock.shift(shift);
                    Clients.sendAll(rightInTime, List.of(new ProducerRecord<>(PARTITION.topic(), "more")));
                    requireAllOverAWhile(admin);
                    clock.shift(Duration.ZERO);
                }
                requireAllOverAWhile(admin);
                assertThat(server.err()).contains("The wall clock stepped from");
                unharmed.assertStill();
            }
        }
    }

    @Test
    void aLastingTimeIsTrustedAndAWrongStartIsNot() throws Exception {
        ClockShim clock = ClockShim.compile(directory);
        try (ServerProcess server = start(clock, 0)) {
            fill("localhost:" + server.awaitReady());
            server.kill();
        }
        clock.shift(Duration.ofDays(8));
        try (ServerProcess server = start(clock, 0);
                Admin admin = Clients.admin("localhost:" + server.awaitReady())) {
            Awaitility.await().during(SHORT).atMost(Clients.PATIENCE).until(() -> start(admin) == 0);
            server.kill();
        }
        try (ServerProcess server = start(clock, 0, "--override=rivulet.clock.step.patience.ms=2000");
                Admin admin = Clients.admin("localhost:" + server.awaitReady())) {
            // the partition ends with the marker of a transaction
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> start(admin) == RECORDS + 1);
        }
    }
}

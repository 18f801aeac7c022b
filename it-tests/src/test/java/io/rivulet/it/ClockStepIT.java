package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wall clock of a running broker is set to a wrong time. */
final class ClockStepIT {
    private static final int RECORDS = 100;
    private static final TopicPartition PARTITION = new TopicPartition("kept", 0);

    @TempDir
    private Path directory;

    @Test
    void aJumpOfEightDaysForTwelveSecondsDeletesNothing() throws Exception {
        ClockShim clock = ClockShim.compile(directory);
        try (ServerProcess server =
                clock.on(ServerProcess.in(directory)).start("--override=listeners=PLAINTEXT://localhost:0")) {
            String servers = "localhost:" + server.awaitReady();
            try (Admin admin = Clients.admin(servers);
                    KafkaProducer<String, String> producer = Clients.producer(servers, Map.of())) {
                List<ProducerRecord<String, String>> records = new ArrayList<>();
                for (int i = 0; i < RECORDS; i++) {
                    records.add(new ProducerRecord<>(PARTITION.topic(), "value-" + i));
                }
                Clients.sendAll(producer, records);

                clock.shift(Duration.ofDays(8));
                Awaitility.await()
                        .during(12, TimeUnit.SECONDS)
                        .atMost(20, TimeUnit.SECONDS)
                        .untilAsserted(() -> assertThat(start(admin)).isZero());
                clock.shift(Duration.ZERO);
            }
        }
    }

    private static long start(Admin admin) throws Exception {
        return admin.listOffsets(Map.of(PARTITION, OffsetSpec.earliest()))
                .partitionResult(PARTITION)
                .get()
                .offset();
    }
}

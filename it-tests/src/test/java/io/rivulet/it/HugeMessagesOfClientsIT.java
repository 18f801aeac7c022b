package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages of up to 100 MB that clients of other languages write, and that they and the Java client read. */
@Tag("clients")
final class HugeMessagesOfClientsIT {
    private static final Logger LOG = LoggerFactory.getLogger(HugeMessagesOfClientsIT.class);
    private static final int MB = 1_000_000;
    private static final int[] SIZES = {10 * MB, 64 * MB, 100, 100 * MB};
    private static final String TOPIC = "huge";
    /** Heap, direct memory with a request and an answer of 100 MB, and the virtual machine itself. */
    private static final long MAX_RESIDENT_BYTES = 1_100L * MB;

    @TempDir
    private Path directory;

    /** Not kafka-python, which computes the checksum of a batch in Python. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "KAFKA_PYTHON")
    void whatItWritesComesBackToItAndToTheJavaClientAndMemoryIsBounded(ClientProgram client) throws Exception {
        client.install();
        try (ServerProcess server = ServerProcess.in(directory)
                .java("-Xmx256m", "-XX:MaxDirectMemorySize=1g")
                .start("--override=listeners=PLAINTEXT://localhost:0", "--override=rivulet.tail.bytes=" + (16 << 20))) {
            String servers = "localhost:" + server.awaitReady();
            createTopic(servers);

            List<String> sent = client.produceHuge(directory, servers, TOPIC, SIZES);
            List<String> read = client.consumeHuge(directory, servers, TOPIC, SIZES.length);

            assertThat(sent).hasSize(SIZES.length);
            assertThat(read).isEqualTo(sent);
            assertThat(readWithJava(servers)).isEqualTo(sent);
            long peakBytes = server.peakResidentBytes();
            LOG.info("{}: the broker had at most {} MB", client, peakBytes / MB);
            assertThat(peakBytes).isLessThan(MAX_RESIDENT_BYTES);
        }
    }

    private static void createTopic(String servers) throws Exception {
        try (Admin admin = Clients.admin(servers)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1)
                            .configs(Map.of("max.message.bytes", String.valueOf(101 * MB)))))
                    .all()
                    .get();
        }
    }

    private static List<String> readWithJava(String servers) throws Exception {
        List<String> lines = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
            while (lines.size() < SIZES.length && System.nanoTime() - deadlineNanos < 0) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    byte[] sum = MessageDigest.getInstance("SHA-256").digest(record.value());
                    lines.add(record.offset() + "\t" + record.value().length + "\t"
                            + HexFormat.of().formatHex(sum));
                }
            }
        }
        return lines;
    }
}

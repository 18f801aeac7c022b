package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of up to 100 MB, with Kafka's own clients and a broker in a process of its own. */
final class HugeMessagesIT {
    private static final int MB = 1_000_000;
    private static final int HUGE_BATCHES = 2;
    private static final int RECORD_BYTES = 4_900_000;
    private static final TopicPartition HUGE = new TopicPartition("huge", 0);
    private static final TopicPartition SMALL = new TopicPartition("small", 0);
    /** Heap, direct memory with a request and an answer of 100 MB, and the virtual machine itself. */
    private static final long MAX_RESIDENT_BYTES = 1_100L * MB;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private String servers = "";

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.in(directory)
                .java("-Xmx256m", "-XX:MaxDirectMemorySize=1g")
                .start("--override=listeners=PLAINTEXT://localhost:0", "--override=rivulet.tail.bytes=" + (16 << 20));
        servers = "localhost:" + server.awaitReady();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private void createTopics() throws Exception {
        try (Admin admin = Clients.admin(servers)) {
            admin.createTopics(List.of(
                            new NewTopic(HUGE.topic(), 1, (short) 1)
                                    .configs(Map.of("max.message.bytes", String.valueOf(101 * MB))),
                            new NewTopic(SMALL.topic(), 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(producerSettings(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Map<String, Object> producerSettings() {
        return Map.of("bootstrap.servers", servers, "max.request.size", 102 * MB, "buffer.memory", 210L * MB);
    }

    private KafkaConsumer<byte[], byte[]> consumer(TopicPartition partition) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "check.crcs", true),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        return consumer;
    }

    private static byte[] value(int bytes) {
        byte[] value = new byte[bytes];
        new Random(bytes).nextBytes(value);
        return value;
    }

    @Test
    void messagesOf10And64And100MegabytesComeBackBeforeAndAfterAKillAndMemoryIsBounded() throws Exception {
        createTopics();
        int[] sizes = {10 * MB, 100, 64 * MB, 100 * MB, 5 * MB, 1000};
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < sizes.length; i++) {
                RecordMetadata stored = producer.send(new ProducerRecord<>(HUGE.topic(), value(sizes[i])))
                        .get();
                assertThat(stored.offset()).isEqualTo(i);
            }
        }
        requireAll(sizes);
        assertThat(server.peakResidentBytes()).isLessThan(MAX_RESIDENT_BYTES);

        server.kill();
        start();

        requireAll(sizes);
        assertThat(server.peakResidentBytes()).isLessThan(MAX_RESIDENT_BYTES);
    }

    private void requireAll(int[] sizes) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(HUGE)) {
            int read = 0;
            long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
            while (read < sizes.length && System.nanoTime() - deadlineNanos < 0) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    assertThat(record.offset()).isEqualTo(read);
                    assertThat(record.value()).isEqualTo(value(sizes[read]));
                    read++;
                }
            }
            assertThat(read).isEqualTo(sizes.length);
        }
    }

    @Test
    void smallMessagesArriveBesideHugeOnes() throws Exception {
        createTopics();
        AtomicBoolean done = new AtomicBoolean();
        List<Future<RecordMetadata>> small = new ArrayList<>();
        Thread sending = new Thread(() -> {
            try (KafkaProducer<byte[], byte[]> producer = producer()) {
                for (int i = 0; i < 4; i++) {
                    producer.send(new ProducerRecord<>(HUGE.topic(), value(30 * MB)))
                            .get();
                }
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            } finally {
                done.set(true);
            }
        });
        sending.start();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            while (!done.get()) {
                Future<RecordMetadata> one = producer.send(new ProducerRecord<>(SMALL.topic(), value(100)));
                one.get();
                small.add(one);
            }
        }
        sending.join();

        // A huge message takes far longer than a small one, so many small ones are stored during it.
        assertThat(small).hasSizeGreaterThan(8);
        requireAll(new int[] {30 * MB, 30 * MB, 30 * MB, 30 * MB});
    }

    @Test
    void aMessageThatIsLargerThanTheTopicAllowsIsTooLarge() throws Exception {
        createTopics();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(SMALL.topic(), value(5 * MB)))
                            .get())
                    .hasCauseInstanceOf(RecordTooLargeException.class);
            assertThat(producer.send(new ProducerRecord<>(SMALL.topic(), value(MB)))
                            .get()
                            .offset())
                    .isZero();
        }
    }

    @Test
    void theyAreFoundByTheirTimeAndDeletedWithTheirTopic() throws Exception {
        createTopics();
        long time = System.currentTimeMillis();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < 3; i++) {
                producer.send(new ProducerRecord<>(HUGE.topic(), 0, time + i, null, value(5 * MB)))
                        .get();
            }
        }
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(HUGE)) {
            assertThat(consumer.offsetsForTimes(Map.of(HUGE, time + 1)).get(HUGE))
                    .satisfies(found -> {
                        assertThat(found.offset()).isEqualTo(1);
                        assertThat(found.timestamp()).isEqualTo(time + 1);
                    });
        }
        Path files = directory.resolve("rivulet-data").resolve("huge");
        assertThat(files).isDirectoryContaining("glob:**.batch");

        try (Admin admin = Clients.admin(servers)) {
            admin.deleteTopics(List.of(HUGE.topic())).all().get();
        }

        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(files).isEmptyDirectory());
    }

    /** The heap has room for two of the uncompressed batches, or eight of the others. */
    @ParameterizedTest
    @CsvSource({"none,20", "lz4,6"})
    void manySearchesByTimeInHugeBatchesOfSeveralRecordsNeedNoHeap(String codec, int records) throws Exception {
        createTopics();
        long time = System.currentTimeMillis() - 1000;
        for (long i = 0; i < HUGE_BATCHES; i++) {
            assertThat(sendInOneBatch(codec, records, time + i * records)).isEqualTo((i + 1L) * records - 1);
        }
        List<Admin> clients = new ArrayList<>();
        List<KafkaFuture<ListOffsetsResultInfo>> latest = new ArrayList<>();
        List<KafkaFuture<ListOffsetsResultInfo>> byTime = new ArrayList<>();
        long wanted = time + records + 3;
        try {
            for (int i = 0; i < 6; i++) {
                Admin client = Clients.admin(servers);
                clients.add(client);
                latest.add(client.listOffsets(Map.of(HUGE, OffsetSpec.maxTimestamp()))
                        .partitionResult(HUGE));
                byTime.add(client.listOffsets(Map.of(HUGE, OffsetSpec.forTimestamp(wanted)))
                        .partitionResult(HUGE));
            }
            long last = HUGE_BATCHES * (long) records - 1;
            for (int i = 0; i < clients.size(); i++) {
                assertThat(latest.get(i).get())
                        .extracting(ListOffsetsResultInfo::offset, ListOffsetsResultInfo::timestamp)
                        .containsExactly(last, time + last);
                assertThat(byTime.get(i).get())
                        .extracting(ListOffsetsResultInfo::offset, ListOffsetsResultInfo::timestamp)
                        .containsExactly(wanted - time, wanted);
            }
        } finally {
            clients.forEach(Admin::close);
        }
        // A consumer gets the memory that the searches had.
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(HUGE)) {
            Awaitility.await()
                    .atMost(Clients.PATIENCE)
                    .until(() -> !consumer.poll(Duration.ofMillis(200)).isEmpty());
        }
        assertThat(server.peakResidentBytes()).isLessThan(MAX_RESIDENT_BYTES);
    }

    @Test
    void aSearchInAHugeBatchFindsNoRecordThatIsDeleted() throws Exception {
        createTopics();
        long time = System.currentTimeMillis() - 1000;
        assertThat(sendInOneBatch("none", 4, time)).isEqualTo(3);

        try (Admin admin = Clients.admin(servers)) {
            admin.deleteRecords(Map.of(HUGE, RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();

            assertThat(admin.listOffsets(Map.of(HUGE, OffsetSpec.forTimestamp(time)))
                            .partitionResult(HUGE)
                            .get()
                            .offset())
                    .isEqualTo(2);
            assertThat(admin.listOffsets(Map.of(HUGE, OffsetSpec.maxTimestamp()))
                            .partitionResult(HUGE)
                            .get()
                            .offset())
                    .isEqualTo(3);
        }
    }

    /** Returns the last offset. */
    private long sendInOneBatch(String codec, int records, long time) throws Exception {
        Map<String, Object> settings = new HashMap<>(producerSettings());
        settings.put("batch.size", 120 * MB);
        settings.put("linger.ms", 60_000);
        settings.put("compression.type", codec);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        byte[] value = value(RECORD_BYTES);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                sent.add(producer.send(new ProducerRecord<>(HUGE.topic(), 0, time + i, null, value)));
            }
            producer.flush();
        }
        return sent.get(records - 1).get().offset();
    }

    @Test
    void manyConsumersOfHugeMessagesWaitForEachOther() throws Exception {
        createTopics();
        int[] sizes = {40 * MB, 50 * MB};
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int size : sizes) {
                producer.send(new ProducerRecord<>(HUGE.topic(), value(size))).get();
            }
        }
        List<KafkaConsumer<byte[], byte[]>> consumers = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                consumers.add(consumer(HUGE));
            }
            int[] read = new int[consumers.size()];
            long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
            while (!isAll(read, sizes.length) && System.nanoTime() - deadlineNanos < 0) {
                for (int i = 0; i < read.length; i++) {
                    for (ConsumerRecord<byte[], byte[]> record :
                            consumers.get(i).poll(Duration.ofMillis(20))) {
                        assertThat(record.value()).hasSize(sizes[read[i]++]);
                    }
                }
            }
            assertThat(read).containsOnly(sizes.length);
        } finally {
            consumers.forEach(KafkaConsumer::close);
        }
        assertThat(server.peakResidentBytes()).isLessThan(MAX_RESIDENT_BYTES);
    }

    private static boolean isAll(int[] read, int wanted) {
        for (int one : read) {
            if (one < wanted) {
                return false;
            }
        }
        return true;
    }
}

package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.FaultShim.Call;
import io.rivulet.store.faults.FaultShim.Errno;
import io.rivulet.store.faults.GermanMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file system that lacks a resource for some time: the broker waits, serves reads, and continues by itself. */
@Tag("faults")
final class StarvedDiskIT {
    private static final TopicPartition PARTITION = new TopicPartition("starved", 0);
    /** The records that are sent during that time are larger than the tail. */
    private static final String PADDING = "x".repeat(4000);

    private static final int RECORDS_BEFORE = 500;
    private static final int RECORDS_DURING = 5000;

    @TempDir
    private Path scratch;

    private Path data;
    private FaultShim shim;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    @BeforeEach
    void compile() throws Exception {
        FaultShim.require();
        GermanMachine.require();
        data = Files.createDirectory(scratch.resolve("data"));
        shim = FaultShim.compile(scratch, data);
    }

    @ParameterizedTest
    @CsvSource({
        // no inodes
        "CREATE, ENOSPC, *, true",
        "CREATE, EDQUOT, blocks, false",
        "CREATE, EMFILE, *, true",
        "OPEN, EMFILE, .block, false",
        "OPEN, ENFILE, *, true",
        "WRITE, ENOSPC, *, true",
        "WRITE, EDQUOT, *, false",
        "RENAME, EDQUOT, blocks, true"
    })
    void whatIsShortForAWhileRefusesAppendsAndLosesNothing(Call call, Errno errno, String part, boolean german)
            throws Exception {
        Map<String, String> language = german ? GermanMachine.environment(scratch) : Map.of("LC_ALL", "C.UTF-8");
        try (ServerProcess server = start(language)) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            try (KafkaProducer<String, String> producer = producer(port)) {
                send(producer, RECORDS_BEFORE);
                awaitAcknowledged(RECORDS_BEFORE);

                shim.fail(call, errno, part);
                send(producer, RECORDS_DURING);
                Awaitility.await().atMost(Clients.PATIENCE).until(() -> shim.struck() > 2);
                assertThat(read(port, RECORDS_BEFORE)).hasSizeGreaterThanOrEqualTo(RECORDS_BEFORE);
                Awaitility.await()
                        .atMost(Clients.PATIENCE)
                        .until(() -> HttpPage.get(server.http() + "/readyz")
                                .body()
                                .matches("ready[a-z ,]+: the disk is full.*\n"));
                assertThat(HttpPage.get(server.http() + "/livez").body()).isEqualTo("alive\n");
                assertThat(HttpPage.get(server.http() + "/console/api/state").body())
                        .contains("the disk is full");

                shim.heal();
                awaitAcknowledged(RECORDS_BEFORE + RECORDS_DURING);
                Awaitility.await()
                        .atMost(Clients.PATIENCE)
                        .until(() ->
                                HttpPage.get(server.http() + "/readyz").body().equals("ready\n"));
            }
            assertThat(server.err())
                    .containsAnyOf("Maintenance waits for space", "clients' records are refused")
                    .containsAnyOf("Maintenance has space again", "records are stored");
            unharmed.assertStill();
            assertEachOnce(port);
            server.kill();
        }
        try (ServerProcess again = start(language)) {
            assertEachOnce(again.awaitReady());
        }
    }

    /** What the log refuses did not happen: the member still has its record, and may say it again. */
    @Test
    void anAcknowledgementOfAShareGroupIsRefusedAndMadeLater() throws Exception {
        try (ServerProcess server = start(Map.of("LC_ALL", "C.UTF-8"))) {
            int port = server.awaitReady();
            try (KafkaProducer<String, String> producer = producer(port);
                    Admin admin = Clients.admin("localhost:" + port);
                    Wire wire = new Wire(port)) {
                ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "g");
                ConfigEntry earliest = new ConfigEntry("share.auto.offset.reset", "earliest");
                admin.incrementalAlterConfigs(
                                Map.of(group, List.of(new AlterConfigOp(earliest, AlterConfigOp.OpType.SET))))
                        .all()
                        .get();
                EmptyShareGroup.create(wire, "g");
                send(producer, RECORDS_BEFORE);
                awaitAcknowledged(RECORDS_BEFORE);
                SharedRecords shared = new SharedRecords(
                        wire,
                        admin.describeTopics(List.of(PARTITION.topic()))
                                .allTopicNames()
                                .get()
                                .get(PARTITION.topic())
                                .topicId());
                assertThat(shared.acquire()).isGreaterThan(10);

                shim.fail(Call.WRITE, Errno.ENOSPC);
                send(producer, RECORDS_DURING);
                Awaitility.await().atMost(Clients.PATIENCE).until(() -> shim.struck() > 2);
                Awaitility.await().atMost(Clients.PATIENCE).until(() -> shared.accept() != Errors.NONE);
                long refused = shared.next;
                assertThat(shared.accept()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);

                shim.heal();
                awaitAcknowledged(RECORDS_BEFORE + RECORDS_DURING);
                assertThat(shared.next).isEqualTo(refused);
                assertThat(shared.accept()).isEqualTo(Errors.NONE);
            }
            server.kill();
        }
    }

    /** A share session that accepts its records one by one. Owned by: one test. */
    private static final class SharedRecords {
        private final Wire wire;
        private final Uuid topic;
        private int epoch;
        /** The first record that it has not accepted. */
        private long next;

        SharedRecords(Wire wire, Uuid topic) {
            this.wire = wire;
            this.topic = topic;
        }

        /** Returns the number of records. */
        long acquire() throws IOException {
            ShareFetchRequestData.FetchTopic one = new ShareFetchRequestData.FetchTopic().setTopicId(topic);
            one.partitions().add(new ShareFetchRequestData.FetchPartition());
            ShareFetchRequestData fetch = new ShareFetchRequestData()
                    .setGroupId("g")
                    .setMemberId("m")
                    .setShareSessionEpoch(epoch++)
                    .setMaxBytes(1 << 20)
                    .setMaxRecords(100)
                    .setBatchSize(100);
            fetch.topics().add(one);
            ShareFetchResponseData fetched = (ShareFetchResponseData) wire.ask(ApiKeys.SHARE_FETCH, (short) 2, fetch);
            return fetched.responses().stream()
                    .flatMap(each -> each.partitions().stream())
                    .flatMap(each -> each.acquiredRecords().stream())
                    .mapToLong(range -> range.lastOffset() + 1)
                    .max()
                    .orElse(0);
        }

        Errors accept() throws IOException {
            ShareAcknowledgeRequestData.AcknowledgeTopic one =
                    new ShareAcknowledgeRequestData.AcknowledgeTopic().setTopicId(topic);
            one.partitions()
                    .add(new ShareAcknowledgeRequestData.AcknowledgePartition()
                            .setAcknowledgementBatches(List.of(new ShareAcknowledgeRequestData.AcknowledgementBatch()
                                    .setFirstOffset(next)
                                    .setLastOffset(next)
                                    .setAcknowledgeTypes(List.of((byte) 1)))));
            ShareAcknowledgeRequestData request = new ShareAcknowledgeRequestData()
                    .setGroupId("g")
                    .setMemberId("m")
                    .setShareSessionEpoch(epoch++);
            request.topics().add(one);
            ShareAcknowledgeResponseData answer =
                    (ShareAcknowledgeResponseData) wire.ask(ApiKeys.SHARE_ACKNOWLEDGE, (short) 2, request);
            Errors error = Errors.forCode(
                    answer.responses().iterator().next().partitions().get(0).errorCode());
            next += error == Errors.NONE ? 1 : 0;
            return error;
        }
    }

    @Test
    void aBrokerWithFewDescriptorsWorks() throws Exception {
        try (ServerProcess server =
                ServerProcess.in(scratch).shell("ulimit -n 120").start(arguments())) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            try (KafkaProducer<String, String> producer = producer(port)) {
                for (int round = 0; round < 8; round++) {
                    send(producer, RECORDS_DURING);
                    awaitAcknowledged((round + 1) * RECORDS_DURING);
                }
            }
            assertThat(server.err()).doesNotContain("Too many open files");
            unharmed.assertStill();
            assertEachOnce(port);
        }
    }

    @Test
    void aStartWithoutSpaceServesReadsAndLaterAppends() throws Exception {
        Map<String, String> language = Map.of("LC_ALL", "C.UTF-8");
        try (ServerProcess server = start(language)) {
            try (KafkaProducer<String, String> producer = producer(server.awaitReady())) {
                send(producer, RECORDS_BEFORE);
                awaitAcknowledged(RECORDS_BEFORE);
            }
            server.kill();
        }
        shim.fail(Call.CREATE, Errno.ENOSPC);
        try (ServerProcess server = start(language)) {
            int port = server.awaitReady();
            assertEachOnce(port);
            try (KafkaProducer<String, String> producer = producer(port)) {
                long struck = shim.struck();
                send(producer, 1);
                Awaitility.await().atMost(Clients.PATIENCE).until(() -> shim.struck() > struck);
                assertThat(sent.get(RECORDS_BEFORE)).isNotDone();

                shim.heal();
                awaitAcknowledged(RECORDS_BEFORE + 1);
            }
            server.kill();
        }
        try (ServerProcess server = start(language)) {
            assertEachOnce(server.awaitReady());
        }
    }

    @Test
    void aSlowDiskMakesOnlyAppendsSlow() throws Exception {
        try (ServerProcess server = start(Map.of("LC_ALL", "C.UTF-8"))) {
            int port = server.awaitReady();
            try (KafkaProducer<String, String> producer = producer(port)) {
                send(producer, RECORDS_BEFORE);
                awaitAcknowledged(RECORDS_BEFORE);

                shim.slow(1_000_000);
                send(producer, RECORDS_BEFORE);
                assertThat(read(port, RECORDS_BEFORE)).hasSizeGreaterThanOrEqualTo(RECORDS_BEFORE);
                awaitAcknowledged(2 * RECORDS_BEFORE);
            }
            assertEachOnce(port);
            server.terminate();
            assertThat(server.awaitEnd()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE, EROFS, Read-only file system",
        "CREATE, EACCES, permission denied",
        "CREATE, ENOSPC, no space left",
        "CREATE, EMFILE, no file descriptor left"
    })
    void aDirectoryThatCanNotBeWrittenStopsTheFirstStartWithOneLine(Call call, Errno errno, String reason)
            throws Exception {
        shim.fail(call, errno);
        try (ServerProcess server = start(Map.of("LC_ALL", "C.UTF-8"))) {
            assertThat(server.awaitEnd()).isEqualTo(1);
            // newer virtual machines print warnings about libraries
            assertThat(server.err().lines().filter(line -> !line.startsWith("WARNING: ")))
                    .singleElement()
                    .asString()
                    .contains(data.toString(), reason);
        }
    }

    @Test
    void aDataDirectoryThatIsCreatedIsSyncedInItsParent() throws Exception {
        Path parent = data.resolve("made");
        shim.failNth(Call.SYNC_DIRECTORY, Errno.EIO, 2);
        try (ServerProcess server = start(
                Map.of("LC_ALL", "C.UTF-8"),
                "--override=log.dirs=" + parent.resolve("by").resolve("us"))) {
            assertThat(server.awaitEnd()).isEqualTo(1);
            // the sync of "by" in its parent failed, so nothing was created below it
            assertThat(parent.resolve("by")).isEmptyDirectory();
        }
    }

    private String[] arguments() {
        return new String[] {
            "--override=listeners=PLAINTEXT://localhost:0",
            "--override=log.dirs=" + data,
            "--override=rivulet.tail.bytes=" + (16 << 20)
        };
    }

    private ServerProcess start(Map<String, String> language, String... more) throws Exception {
        ServerProcess.Launch launch = ServerProcess.in(scratch);
        shim.environment().forEach(launch::environment);
        language.forEach(launch::environment);
        return launch.start(
                Stream.concat(Arrays.stream(arguments()), Arrays.stream(more)).toArray(String[]::new));
    }

    private static KafkaProducer<String, String> producer(int port) {
        return Clients.producer(
                "localhost:" + port,
                Map.of(
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        32 << 10,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        64 << 20,
                        ProducerConfig.RETRY_BACKOFF_MS_CONFIG,
                        20,
                        ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG,
                        100));
    }

    private void send(KafkaProducer<String, String> producer, int count) {
        for (int i = 0; i < count; i++) {
            sent.add(producer.send(new ProducerRecord<>(
                    PARTITION.topic(), PARTITION.partition(), PADDING, String.valueOf(sent.size()))));
        }
    }

    private void awaitAcknowledged(int count) throws Exception {
        for (Future<RecordMetadata> acknowledgement : sent.subList(0, count)) {
            acknowledgement.get(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static List<ConsumerRecord<String, String>> read(int port, int count) {
        try (KafkaConsumer<String, String> consumer = Clients.consumer("localhost:" + port, Map.of())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            return Clients.poll(consumer, count);
        }
    }

    private void assertEachOnce(int port) {
        List<ConsumerRecord<String, String>> records = read(port, sent.size());
        assertThat(records).hasSize(sent.size());
        for (int i = 0; i < records.size(); i++) {
            assertThat(records.get(i).offset()).isEqualTo(i);
            assertThat(records.get(i).value()).isEqualTo(String.valueOf(i));
        }
    }
}

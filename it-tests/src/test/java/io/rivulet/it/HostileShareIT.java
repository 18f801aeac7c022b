package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData.DeleteShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgePartition;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgeTopic;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgementBatch;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchPartition;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that want to harm a broker with requests of share groups. It has a heap of 256 MiB. */
final class HostileShareIT {
    private static final short VERSION = 2;
    private static final byte ACCEPT = 1;
    private static final byte RELEASE = 2;
    private static final byte REJECT = 3;
    private static final byte RENEW = 4;
    private static final int BATCH = 50_000;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private Unharmed unharmed;
    private int port;
    private Uuid topic = Uuid.ZERO_UUID;

    @BeforeEach
    void start() throws Exception {
        server = launch();
        port = server.awaitReady();
        unharmed = Unharmed.before(server, port);
    }

    private ServerProcess launch(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("--override=listeners=PLAINTEXT://localhost:0");
        arguments.add("--override=rivulet.share.bytes=" + (48 << 20));
        return ServerProcess.start(directory, arguments.toArray(String[]::new));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private void createTopic(int partitions) throws Exception {
        try (Admin admin = Clients.admin("localhost:" + port)) {
            topic = admin.createTopics(List.of(new NewTopic("t", partitions, (short) 1)))
                    .topicId("t")
                    .get();
        }
    }

    private static void set(Admin admin, String group, String key, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.GROUP, group),
                        List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private void earliest(String group) throws Exception {
        EmptyShareGroup.create(port, group);
        try (Admin admin = Clients.admin("localhost:" + port)) {
            set(admin, group, "share.auto.offset.reset", "earliest");
        }
    }

    /** Produces one batch to partition 0. */
    private void produce(int count) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", "localhost:" + port, "linger.ms", 60_000, "batch.size", 4 << 20);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                var unused = producer.send(new ProducerRecord<>("t", 0, null, "v"));
            }
            producer.flush();
        }
    }

    // ---- requests ----

    private ShareFetchRequestData fetch(String group, String member, int epoch, int... partitions) {
        ShareFetchRequestData request = new ShareFetchRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setShareSessionEpoch(epoch)
                .setMaxBytes(1 << 20)
                .setMaxRecords(500)
                .setBatchSize(500);
        if (partitions.length > 0) {
            FetchTopic one = new FetchTopic().setTopicId(topic);
            IntStream.of(partitions).forEach(i -> one.partitions().add(new FetchPartition().setPartitionIndex(i)));
            request.topics().add(one);
        }
        return request;
    }

    private static ShareFetchResponseData ask(Wire wire, ShareFetchRequestData request) throws IOException {
        return (ShareFetchResponseData) wire.ask(ApiKeys.SHARE_FETCH, VERSION, request);
    }

    private ShareAcknowledgeRequestData acks(String group, String member, int epoch, AcknowledgePartition... acks) {
        AcknowledgeTopic one = new AcknowledgeTopic().setTopicId(topic);
        List.of(acks).forEach(one.partitions()::add);
        ShareAcknowledgeRequestData request = new ShareAcknowledgeRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setShareSessionEpoch(epoch);
        request.topics().add(one);
        return request;
    }

    private static AcknowledgePartition ack(long first, long last, byte... types) {
        List<Byte> all = new ArrayList<>(types.length);
        for (byte type : types) {
            all.add(type);
        }
        return new AcknowledgePartition()
                .setAcknowledgementBatches(List.of(new AcknowledgementBatch()
                        .setFirstOffset(first)
                        .setLastOffset(last)
                        .setAcknowledgeTypes(all)));
    }

    /** The errors of the partitions, in the order of the request. */
    private static List<Errors> ask(Wire wire, ShareAcknowledgeRequestData request) throws IOException {
        ShareAcknowledgeResponseData answer =
                (ShareAcknowledgeResponseData) wire.ask(ApiKeys.SHARE_ACKNOWLEDGE, VERSION, request);
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        return answer.responses().stream()
                .flatMap(one -> one.partitions().stream())
                .map(one -> Errors.forCode(one.errorCode()))
                .toList();
    }

    /** First and last offsets and delivery counts. */
    private static List<String> acquired(ShareFetchResponseData answer) {
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        return answer.responses().stream()
                .flatMap(one -> one.partitions().stream())
                .flatMap(one -> one.acquiredRecords().stream())
                .map(one -> one.firstOffset() + "-" + one.lastOffset() + " " + one.deliveryCount())
                .toList();
    }

    // ---- attacks ----

    /** Text that is not UTF-8 grows when it is decoded, and the log has two bytes for the length of a group id. */
    @Test
    void aGroupIdThatIsNotUtf8HarmsNoLog() throws Exception {
        createTopic(1);
        produce(1);
        String id = "a".repeat(20_000);
        byte[] frame = Wire.frame(ApiKeys.SHARE_FETCH, VERSION, fetch(id, "m", 0, 0), 1)
                .array();
        int at = new String(frame, StandardCharsets.ISO_8859_1).indexOf(id);
        Arrays.fill(frame, at, at + id.length(), (byte) 0xff);
        try (Wire wire = new Wire(port)) {
            wire.send(ByteBuffer.wrap(frame));
            assertThat(wire.isClosedByBroker()).isTrue();
        }
        unharmed.assertStill();
        server.kill();
        server = launch();
        SecondClient.assertServesRecords(server.awaitReady());
    }

    /** As in Kafka, where the partition is not initialized. A request must not make rows under any name. */
    @Test
    void aGroupThatDoesNotExistGetsNoRows() throws Exception {
        createTopic(1);
        produce(3);
        try (Wire wire = new Wire(port);
                Admin admin = Clients.admin("localhost:" + port)) {
            set(admin, "g", "share.auto.offset.reset", "earliest");
            assertUnknown(ask(wire, fetch("g", "m", 0, 0)));
            assertUnknown(ask(wire, fetch("g", "m", 1)));
            assertThat(ask(wire, acks("g", "m", 2, ack(0, 0, ACCEPT)))).containsExactly(Errors.INVALID_RECORD_STATE);

            EmptyShareGroup.create(port, "g");
            assertThat(startOffset(wire, null)).isEqualTo(-1);
            assertThat(acquired(ask(wire, fetch("g", "m", 3)))).containsExactly("0-2 1");
        }
    }

    private static void assertUnknown(ShareFetchResponseData answer) {
        assertThat(answer.responses().iterator().next().partitions())
                .singleElement()
                .satisfies(one -> assertThat(Errors.forCode(one.errorCode())).isEqualTo(Errors.UNKNOWN_SERVER_ERROR));
    }

    /** Its sessions may be open when it is deleted. */
    @Test
    void aGroupThatWasDeletedGetsNoRowsAgain() throws Exception {
        createTopic(1);
        earliest("g");
        produce(3);
        try (Wire wire = new Wire(port);
                Admin admin = Clients.admin("localhost:" + port)) {
            assertThat(acquired(ask(wire, fetch("g", "m", 0, 0)))).containsExactly("0-2 1");
            admin.deleteShareGroups(List.of("g")).all().get();

            assertUnknown(ask(wire, fetch("g", "m", 1)));
        }
    }

    @Test
    void acknowledgementsThatMakeNoSenseChangeNothing() throws Exception {
        createTopic(1);
        earliest("g");
        produce(10);
        try (Wire wire = new Wire(port);
                Wire other = new Wire(port)) {
            assertThat(acquired(ask(wire, fetch("g", "m", 0, 0)))).containsExactly("0-9 1");
            ask(other, fetch("g", "other", 0, 0));
            assertThat(ask(other, acks("g", "other", 1, ack(0, 9, ACCEPT))))
                    .containsExactly(Errors.INVALID_RECORD_STATE);
            int epoch = 1;
            for (AcknowledgePartition bad : List.of(
                    ack(3, 2, ACCEPT),
                    ack(-1, 2, ACCEPT),
                    ack(0, Long.MAX_VALUE, ACCEPT),
                    ack(0, Long.MAX_VALUE - 1, ACCEPT),
                    ack(Long.MIN_VALUE, Long.MAX_VALUE, ACCEPT),
                    ack(5, 10, ACCEPT),
                    ack(0, 9),
                    ack(0, 9, (byte) 9),
                    ack(0, 9, (byte) -1),
                    ack(0, 9, RENEW),
                    ack(0, 9, ACCEPT, ACCEPT),
                    ack(0, 9, new byte[1_000_000]),
                    new AcknowledgePartition()
                            .setAcknowledgementBatches(List.of(
                                    ack(0, 5, ACCEPT).acknowledgementBatches().get(0),
                                    ack(5, 9, ACCEPT).acknowledgementBatches().get(0))))) {
                assertThat(ask(wire, acks("g", "m", epoch++, bad)))
                        .as("%s", bad)
                        .containsExactly(Errors.INVALID_REQUEST);
            }
            assertThat(ask(wire, acks("g", "m", epoch++, ack(0, 8, ACCEPT)))).containsExactly(Errors.NONE);
            assertThat(ask(wire, acks("g", "m", epoch++, ack(8, 8, ACCEPT))))
                    .containsExactly(Errors.INVALID_RECORD_STATE);
            assertThat(ask(wire, acks("g", "m", epoch, ack(9, 9, ACCEPT)))).containsExactly(Errors.NONE);
        }
        unharmed.assertStill();
    }

    /** Each time it is named, all that is in flight there would be looked at. */
    @Test
    void aPartitionIsAcknowledgedOnceInARequest() throws Exception {
        createTopic(1);
        earliest("g");
        produce(3);
        try (Wire wire = new Wire(port)) {
            assertThat(acquired(ask(wire, fetch("g", "m", 0, 0)))).containsExactly("0-2 1");
            List<Errors> answers =
                    ask(wire, acks("g", "m", 1, ack(0, 0, ACCEPT), ack(1, 1, ACCEPT), ack(2, 2, ACCEPT)));
            assertThat(answers).containsExactly(Errors.NONE, Errors.INVALID_REQUEST, Errors.INVALID_REQUEST);
            assertThat(ask(wire, acks("g", "m", 2, ack(1, 2, ACCEPT)))).containsExactly(Errors.NONE);
        }
        unharmed.assertStill();
    }

    /** One batch, and each record has another fate than the one before it. */
    @Test
    void aBatchOfManyRecordsIsTornIntoPieces() throws Exception {
        createTopic(1);
        earliest("g");
        produce(BATCH);
        try (Wire wire = new Wire(port)) {
            assertThat(acquired(ask(wire, fetch("g", "m", 0, 0)))).containsExactly("0-" + (BATCH - 1) + " 1");
            byte[] types = new byte[BATCH / 2];
            for (int i = 0; i < types.length; i++) {
                types[i] = i % 2 == 0 ? RELEASE : REJECT;
            }
            assertThat(ask(wire, acks("g", "m", 1, ack(BATCH / 2, BATCH - 1, types))))
                    .containsExactly(Errors.NONE);
            assertThat(ask(wire, acks("g", "m", 2, ack(0, BATCH / 2 - 1, types))))
                    .containsExactly(Errors.NONE);
            unharmed.assertStill();
            ShareFetchRequestData strict =
                    fetch("g", "m", 3).setShareAcquireMode((byte) 1).setMaxRecords(3);
            assertThat(acquired(ask(wire, strict))).containsExactly("0-0 2", "2-2 2", "4-4 2");
        }
    }

    /** Each time, all queues of the group would be added to those that are forgotten: 1.6 GB. */
    @Test
    void aTopicIsDeletedOnceInARequest() throws Exception {
        int partitions = 2_000;
        createTopic(partitions);
        AlterShareGroupOffsetsRequestTopic everySecond = new AlterShareGroupOffsetsRequestTopic()
                .setTopicName("t")
                .setPartitions(IntStream.range(0, partitions / 2)
                        .mapToObj(i -> new AlterShareGroupOffsetsRequestPartition().setPartitionIndex(2 * i))
                        .toList());
        AlterShareGroupOffsetsRequestData alter = new AlterShareGroupOffsetsRequestData().setGroupId("g");
        alter.topics().add(everySecond);
        DeleteShareGroupOffsetsRequestData delete = new DeleteShareGroupOffsetsRequestData()
                .setGroupId("g")
                .setTopics(Collections.nCopies(200_000, new DeleteShareGroupOffsetsRequestTopic().setTopicName("t")));
        try (Wire wire = new Wire(port)) {
            wire.ask(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, (short) 0, alter);
            DeleteShareGroupOffsetsResponseData answer = (DeleteShareGroupOffsetsResponseData)
                    wire.ask(ApiKeys.DELETE_SHARE_GROUP_OFFSETS, (short) 0, delete);

            assertThat(answer.responses())
                    .singleElement()
                    .satisfies(
                            one -> assertThat(Errors.forCode(one.errorCode())).isEqualTo(Errors.NONE));
        }
        unharmed.assertStill();
    }

    /** A delivery that ends while an operator sets the offset must not move it. */
    @Test
    void theOffsetThatAnOperatorSetsStays() throws Exception {
        createTopic(1);
        earliest("g");
        produce(10);
        try (Wire wire = new Wire(port);
                Wire operator = new Wire(port)) {
            AlterShareGroupOffsetsRequestData alter = alter();
            assertThat(startOffset(operator, alter)).isZero();
            for (int round = 0; round < 200; round++) {
                assertThat(acquired(ask(wire, fetch("g", "m", 0, 0)))).startsWith("0-9 1");
                assertThat(ask(wire, acks("g", "m", 1, ack(0, 4, ACCEPT)))).containsExactly(Errors.NONE);
                // What it has left is released at the same time.
                operator.send(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, (short) 0, alter);
                wire.send(ApiKeys.SHARE_FETCH, VERSION, fetch("g", "m", -1));
                wire.receive(ApiKeys.SHARE_FETCH, VERSION, 3 * round + 3);
                operator.receive(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, (short) 0, 2 * round + 3);
                assertThat(startOffset(operator, null)).as("round %d", round).isZero();
            }
        }
        unharmed.assertStill();
    }

    private static AlterShareGroupOffsetsRequestData alter() {
        AlterShareGroupOffsetsRequestTopic one = new AlterShareGroupOffsetsRequestTopic()
                .setTopicName("t")
                .setPartitions(List.of(new AlterShareGroupOffsetsRequestPartition().setStartOffset(0)));
        AlterShareGroupOffsetsRequestData alter = new AlterShareGroupOffsetsRequestData().setGroupId("g");
        alter.topics().add(one);
        return alter;
    }

    /** @param alter to be done before, if not null */
    private static long startOffset(Wire wire, @Nullable AlterShareGroupOffsetsRequestData alter) throws IOException {
        if (alter != null) {
            wire.ask(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, (short) 0, alter);
        }
        DescribeShareGroupOffsetsRequestData describe = new DescribeShareGroupOffsetsRequestData()
                .setGroups(List.of(new DescribeShareGroupOffsetsRequestGroup()
                        .setGroupId("g")
                        .setTopics(List.of(new DescribeShareGroupOffsetsRequestTopic()
                                .setTopicName("t")
                                .setPartitions(List.of(0))))));
        DescribeShareGroupOffsetsResponseData answer = (DescribeShareGroupOffsetsResponseData)
                wire.ask(ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS, (short) 1, describe);
        return answer.groups().get(0).topics().get(0).partitions().get(0).startOffset();
    }
}

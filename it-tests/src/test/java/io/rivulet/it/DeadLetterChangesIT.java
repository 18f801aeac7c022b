package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator moves or deletes a share group while its dead letters are written. */
@SeveralBrokers
final class DeadLetterChangesIT {
    private static final String GROUP = "g";
    private static final TopicPartition LETTERS = new TopicPartition("dlq.t", 0);
    private static final int RECORDS = 50;
    private static final int ROUNDS = 100;
    private static final byte REJECT = 3;
    private static final short VERSION = 2;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;
    private Uuid topic = Uuid.ZERO_UUID;
    private double bytesBefore;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, Map.of("rivulet.http.listener", "localhost:0"));
        admin = Clients.admin(broker);
        topic = admin.createTopics(List.of(new NewTopic("t", 1, (short) 1)))
                .topicId("t")
                .get();
        admin.createTopics(List.of(new NewTopic(LETTERS.topic(), 1, (short) 1)
                        .configs(Map.of(TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_CONFIG, "true"))))
                .all()
                .get();
        set("share.auto.offset.reset", "earliest");
        set("errors.deadletterqueue.topic.name", LETTERS.topic());
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(
                    producer,
                    IntStream.range(0, RECORDS)
                            .mapToObj(i -> new ProducerRecord<String, String>("t", "v" + i))
                            .toList());
        }
        bytesBefore = shareBytes();
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void set(String key, String value) throws Exception {
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, GROUP), List.of(change)))
                .all()
                .get();
    }

    private double shareBytes() throws Exception {
        int port = Objects.requireNonNull(broker.httpAddress()).getPort();
        return HttpPage.get("http://localhost:" + port + "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("rivulet_share_bytes "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    private long letters() throws Exception {
        return admin.listOffsets(Map.of(LETTERS, OffsetSpec.latest()))
                .partitionResult(LETTERS)
                .get()
                .offset();
    }

    // ---- requests ----

    private static ShareFetchRequestData fetch(int epoch) {
        return new ShareFetchRequestData()
                .setGroupId(GROUP)
                .setMemberId("m")
                .setShareSessionEpoch(epoch)
                .setMaxBytes(1 << 20)
                .setMaxRecords(RECORDS)
                .setBatchSize(RECORDS);
    }

    private void acquireAll(Wire wire) throws IOException {
        ShareFetchRequestData first = fetch(0);
        FetchTopic one = new FetchTopic().setTopicId(topic);
        one.partitions().add(new FetchPartition());
        first.topics().add(one);
        ShareFetchResponseData answer = (ShareFetchResponseData) wire.ask(ApiKeys.SHARE_FETCH, VERSION, first);
        assertThat(answer.responses().iterator().next().partitions().get(0).acquiredRecords())
                .singleElement()
                .satisfies(range -> assertThat(range.lastOffset()).isEqualTo(RECORDS - 1));
    }

    private Wire.Question rejectAll() {
        AcknowledgeTopic one = new AcknowledgeTopic().setTopicId(topic);
        one.partitions()
                .add(new AcknowledgePartition()
                        .setAcknowledgementBatches(List.of(new AcknowledgementBatch()
                                .setFirstOffset(0)
                                .setLastOffset(RECORDS - 1)
                                .setAcknowledgeTypes(List.of(REJECT)))));
        ShareAcknowledgeRequestData request = new ShareAcknowledgeRequestData()
                .setGroupId(GROUP)
                .setMemberId("m")
                .setShareSessionEpoch(1);
        request.topics().add(one);
        return new Wire.Question(ApiKeys.SHARE_ACKNOWLEDGE, VERSION, request);
    }

    private static Wire.Question toTheStart() {
        AlterShareGroupOffsetsRequestTopic one = new AlterShareGroupOffsetsRequestTopic()
                .setTopicName("t")
                .setPartitions(List.of(new AlterShareGroupOffsetsRequestPartition().setStartOffset(0)));
        AlterShareGroupOffsetsRequestData alter = new AlterShareGroupOffsetsRequestData().setGroupId(GROUP);
        alter.topics().add(one);
        return new Wire.Question(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, 0, alter);
    }

    private static Wire.Question deleteGroup() {
        return new Wire.Question(
                ApiKeys.DELETE_GROUPS, 2, new DeleteGroupsRequestData().setGroupsNames(List.of(GROUP)));
    }

    /** A round of a member and an operator, with connections of their own. Returns the number of new letters. */
    private int round(Wire.Question change, boolean isFirst) throws Exception {
        try (Wire member = new Wire(broker);
                Wire operator = new Wire(broker)) {
            acquireAll(member);
            Wire.Question reject = rejectAll();
            if (isFirst) {
                operator.send(change.key(), (short) change.version(), change.request());
            }
            member.send(reject.key(), VERSION, reject.request());
            if (!isFirst) {
                operator.send(change.key(), (short) change.version(), change.request());
            }
            ShareAcknowledgeResponseData rejected =
                    (ShareAcknowledgeResponseData) member.receive(reject.key(), VERSION, 2);
            Object changed = operator.receive(change.key(), (short) change.version(), 1);
            assertThat(
                            changed instanceof DeleteGroupsResponseData deleted
                                    ? deleted.results().find(GROUP).errorCode()
                                    : ((AlterShareGroupOffsetsResponseData) changed).errorCode())
                    .isEqualTo(Errors.NONE.code());
            Errors error = Errors.forCode(
                    rejected.responses().iterator().next().partitions().get(0).errorCode());
            assertThat(error).isIn(Errors.NONE, Errors.INVALID_RECORD_STATE);
            member.ask(ApiKeys.SHARE_FETCH, VERSION, fetch(-1));
            return error == Errors.NONE ? RECORDS : 0;
        }
    }

    /** A record has its letter if its rejection was accepted, and only then. */
    @Test
    void eachRoundOfAGroupThatIsMovedHasItsLettersOnce() throws Exception {
        EmptyShareGroup.create(broker.addresses().get(0).getPort(), GROUP);
        long expected = 0;
        for (int i = 0; i < ROUNDS; i++) {
            expected += round(toTheStart(), i % 2 == 0);
            assertThat(letters()).as("round %d", i).isEqualTo(expected);
        }
        admin.deleteShareGroups(List.of(GROUP)).all().get();
        assertThat(letters()).isEqualTo(expected);
        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(shareBytes()).isEqualTo(bytesBefore));
    }

    @Test
    void aGroupThatIsDeletedMeanwhileLeavesNothingBehind() throws Exception {
        long expected = 0;
        for (int i = 0; i < ROUNDS; i++) {
            EmptyShareGroup.create(broker.addresses().get(0).getPort(), GROUP);
            expected += round(deleteGroup(), i % 2 == 0);
            assertThat(letters()).as("round %d", i).isEqualTo(expected);
        }
        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(shareBytes()).isEqualTo(bytesBefore));
    }
}

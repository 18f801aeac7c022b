package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.TestBroker;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ShareAcknowledgeRequest;
import io.rivulet.protocol.message.ShareAcknowledgeRequest.AcknowledgePartition;
import io.rivulet.protocol.message.ShareAcknowledgeRequest.AcknowledgeTopic;
import io.rivulet.protocol.message.ShareAcknowledgeResponse;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.AcknowledgementBatch;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareFetchResponse.PartitionData;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Uuid;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShareFetch and ShareAcknowledge, as requests see them. */
final class ShareFetchTest {
    private static final int VERSION = 2;
    private static final int LARGE_BYTES = 900_000;

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private Uuid topicId = Uuid.ZERO;

    @BeforeEach
    void createTopic() throws Exception {
        topicId = broker.tryCreateTopics("t").get(0).topicId();
        ShareGroupHeartbeatRequest join =
                new ShareGroupHeartbeatRequest().groupId("g").memberId("m").subscribedTopicNames(List.of("t"));
        assertThat(broker.ask(ApiKey.SHARE_GROUP_HEARTBEAT, join, ShareGroupHeartbeatResponse::read)
                        .errorCode())
                .isZero();
    }

    @Test
    void recordsAreAcquiredAndAcknowledged() throws Exception {
        assertThat(open("m").errorCode()).isZero();
        produce(3);
        produce(2);

        ShareFetchResponse fetched = fetch("m", 1);
        assertThat(fetched.acquisitionLockTimeoutMs()).isEqualTo(30_000);
        assertThat(ranges(fetched)).containsExactly("0-4 1");
        assertThat(Objects.requireNonNull(only(fetched).records()).sizeInBytes())
                .isPositive();

        assertThat(acknowledge("m", 2, 0, 2, AckType.ACCEPT)).isEqualTo(ErrorCode.NONE);
        assertThat(acknowledge("m", 3, 0, 2, AckType.ACCEPT)).isEqualTo(ErrorCode.INVALID_RECORD_STATE);
        assertThat(acknowledge("m", 4, 3, 5, AckType.ACCEPT)).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(acknowledge("m", 5, 3, 3, AckType.REJECT)).isEqualTo(ErrorCode.NONE);
        assertThat(acknowledge("m", 6, 4, 4, AckType.RELEASE)).isEqualTo(ErrorCode.NONE);
        assertThat(ranges(fetch("m", 7))).containsExactly("4-4 2");
        assertThat(ranges(fetch("m", 8))).isEmpty();
    }

    @Test
    void anEmptyPartitionIsAnsweredOnce() throws Exception {
        PartitionData first = only(open("m"));
        assertThat(first.errorCode()).isZero();
        assertThat(first.acquiredRecords()).isEmpty();

        assertThat(fetch("m", 1).responses()).isEmpty();
    }

    @Test
    void theFirstAnswerHasTheRecordsOfANewPartition() throws Exception {
        open("m");
        produce(2);
        ShareFetchResponse first = open("n");
        assertThat(ranges(first)).containsExactly("0-1 1");
        assertThat(only(first).records()).isNotNull();
    }

    @Test
    void aMemberDoesNotGetWhatAnotherOneHas() throws Exception {
        open("a");
        open("b");
        produce(4);
        assertThat(ranges(fetch("a", 1))).containsExactly("0-3 1");
        assertThat(ranges(fetch("b", 1))).isEmpty();
        assertThat(acknowledge("b", 2, 0, 0, AckType.ACCEPT)).isEqualTo(ErrorCode.INVALID_RECORD_STATE);

        // The last request of a session releases what it has.
        assertThat(fetch("a", -1).errorCode()).isZero();
        assertThat(ranges(fetch("b", 3))).containsExactly("0-3 2");
    }

    @Test
    void aFetchMayAcknowledge() throws Exception {
        open("m");
        produce(4);
        assertThat(ranges(fetch("m", 1))).containsExactly("0-3 1");
        ShareFetchResponse answer =
                fetch(request("m", 2, AckType.ACCEPT, AckType.RELEASE, AckType.ACCEPT, AckType.ACCEPT));
        assertThat(only(answer).acknowledgeErrorCode()).isZero();
        assertThat(ranges(answer)).containsExactly("1-1 2");
    }

    @Test
    void aRecordIsDeliveredFiveTimes() throws Exception {
        open("m");
        produce(1);
        for (int delivery = 1; delivery <= 5; delivery++) {
            assertThat(ranges(fetch("m", 2 * delivery - 1))).containsExactly("0-0 " + delivery);
            assertThat(acknowledge("m", 2 * delivery, 0, 0, AckType.RELEASE)).isEqualTo(ErrorCode.NONE);
        }
        assertThat(ranges(fetch("m", 11))).isEmpty();
    }

    @Test
    void theRecordLimitIsStrictIfTheClientWantsThat() throws Exception {
        open("m");
        produce(10);
        assertThat(ranges(fetch(request("m", 1).maxRecords(4).shareAcquireMode((byte) 1))))
                .containsExactly("0-3 1");
        assertThat(ranges(fetch(request("m", 2).maxRecords(4)))).containsExactly("4-9 1");
    }

    @Test
    void singleRecordsAreAcquiredInBatchesOfTheSizeThatTheClientWants() throws Exception {
        open("m");
        produce(1);
        produce(1);
        produce(1);
        produce(3);

        assertThat(ranges(fetch(request("m", 1).batchSize(2)))).containsExactly("0-1 1", "2-5 1");
    }

    @Test
    void aLockIsRenewed() throws Exception {
        open("m");
        produce(2);
        assertThat(ranges(fetch("m", 1))).containsExactly("0-1 1");
        ShareFetchRequest renewal =
                request("m", 2, AckType.RENEW, AckType.ACCEPT).isRenewAck(true);
        assertThat(fetch(renewal.maxRecords(10)).errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        ShareFetchResponse renewed =
                fetch(renewal.maxRecords(0).maxBytes(0).minBytes(0).maxWaitMs(0));
        assertThat(only(renewed).acknowledgeErrorCode()).isZero();
        assertThat(acknowledge("m", 3, 0, 0, AckType.ACCEPT)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void sessionsHaveEpochs() throws Exception {
        assertThat(fetch("m", 1).errorCode()).isEqualTo(ErrorCode.SHARE_SESSION_NOT_FOUND.code());
        assertThat(fetch("m", -1).errorCode()).isEqualTo(ErrorCode.SHARE_SESSION_NOT_FOUND.code());
        assertThat(fetch("", 0).errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        assertThat(fetch(request("m", 0, AckType.ACCEPT)).errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        assertThat(open("m").errorCode()).isZero();
        assertThat(fetch("m", 2).errorCode()).isEqualTo(ErrorCode.INVALID_SHARE_SESSION_EPOCH.code());
        assertThat(open("n").errorCode()).isZero();
        assertThat(open("o").errorCode()).isZero();
        assertThat(open("p").errorCode()).isEqualTo(ErrorCode.SHARE_SESSION_LIMIT_REACHED.code());
        assertThat(fetch("n", -1).errorCode()).isZero();
        assertThat(open("p").errorCode()).isZero();
    }

    /** The cost depends on what is in flight in the partition. */
    @Test
    void aPartitionIsAcknowledgedOnceInARequest() throws Exception {
        open("m");
        produce(2);
        assertThat(ranges(fetch("m", 1))).containsExactly("0-1 1");
        FetchPartition once = new FetchPartition()
                .acknowledgementBatches(List.of(
                        new AcknowledgementBatch().firstOffset(0).lastOffset(0).acknowledgeTypes(new byte[] {
                            AckType.ACCEPT
                        })));
        FetchTopic twice = new FetchTopic().topicId(topicId).partitions(List.of(once, once));
        ShareFetchResponse answer = fetch(request("m", 2).topics(List.of(twice)));
        assertThat(only(answer).acknowledgeErrorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        assertThat(acknowledge("m", 3, 0, 0, AckType.ACCEPT)).isEqualTo(ErrorCode.INVALID_RECORD_STATE);
    }

    @Test
    void anUnknownTopicIsAnErrorOfItsPartition() throws Exception {
        open("m");
        topicId = new Uuid(1, 2);
        ShareFetchResponse answer = fetch("m", 1);
        assertThat(only(answer).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    }

    /** The first batch of an answer is sent whatever its size, and a large one is not in the tail. */
    @Test
    void fetchesThatWaitForAReadThreadDoNotExceedTheMemoryTogether() throws Exception {
        List<Call> calls = new ArrayList<>();
        List<String> members = List.of("a", "b", "c");
        for (String member : members) {
            open(member);
        }
        for (int i = 0; i < members.size(); i++) {
            produce(1, LARGE_BYTES);
        }
        CountDownLatch busy = broker.occupyReadThread();
        for (String member : members) {
            ShareFetchRequest wanted =
                    request(member, 1).maxBytes(1).minBytes(1).maxWaitMs(60_000);
            calls.add(broker.send(ApiKey.SHARE_FETCH, VERSION, wanted));
        }
        broker.connection().settle();
        busy.countDown();
        while (!calls.isEmpty()) {
            broker.settle();
            assertThat(broker.memory().usedBytes()).isLessThan(broker.memory().maxBytes() + LARGE_BYTES + 100);
            Call next = calls.stream().filter(Call::hasEnded).findFirst().orElseThrow();
            assertThat(TestBroker.receive(next).readableBytes()).isGreaterThan(LARGE_BYTES);
            calls.remove(next);
        }
        assertThat(broker.memory().usedBytes()).isZero();
    }

    /** Otherwise the group would begin there at the end of the queue, after a crash. */
    @Test
    void aRowThatAFetchWithoutMemoryHasMadeIsInTheLog() throws Exception {
        open("m");
        produce(1, LARGE_BYTES);
        Uuid large = topicId;
        topicId = broker.tryCreateTopics("new").get(0).topicId();
        ShareFetchRequest wanted = request("other", 0).maxWaitMs(60_000);
        FetchTopic second = new FetchTopic().topicId(large).partitions(List.of(new FetchPartition()));
        wanted.topics(List.of(wanted.topics().get(0), second));
        CountDownLatch busy = broker.occupyReadThread();
        Call call = broker.send(ApiKey.SHARE_FETCH, VERSION, wanted);
        broker.connection().settle();
        long exceeding = broker.memory().maxBytes() + 1;
        broker.memory().takeAnyway(exceeding);
        busy.countDown();
        broker.settle();
        assertThat(call.hasEnded()).isFalse();

        broker.createTopics("later"); // what was appended before is written when this is
        assertThat(beginningsInTheLog()).isEqualTo(2);
        broker.memory().giveBack(exceeding);
        broker.settle();
        assertThat(call.hasEnded()).isTrue();
    }

    /** In how many queues the group begins at 0, as the files of the log say. */
    private int beginningsInTheLog() throws IOException {
        StringBuilder log = new StringBuilder();
        try (Stream<Path> files = Files.list(broker.directory().resolve("log"))) {
            for (Path segment :
                    files.filter(file -> file.toString().endsWith(".segment")).toList()) {
                try (InputStream bytes = Files.newInputStream(segment)) {
                    log.append(new String(bytes.readNBytes(4 << 20), StandardCharsets.ISO_8859_1));
                }
            }
        }
        int found = 0;
        for (int queueId = 0; queueId < 10; queueId++) {
            ByteBuffer entry = ShareEntryLayout.results("g", List.of(new RowImage(queueId, 0, List.of())));
            String bytes = StandardCharsets.ISO_8859_1.decode(entry).toString();
            found += log.indexOf(bytes) >= 0 ? 1 : 0;
        }
        return found;
    }

    // ---- requests ----

    private ShareFetchResponse open(String member) throws Exception {
        return fetch(member, 0);
    }

    private ShareFetchResponse fetch(String member, int epoch) throws Exception {
        return fetch(request(member, epoch));
    }

    private ShareFetchResponse fetch(ShareFetchRequest request) throws Exception {
        return broker.ask(ApiKey.SHARE_FETCH, request, ShareFetchResponse::read);
    }

    /** @param types acknowledge the records from 0 on */
    private ShareFetchRequest request(String member, int epoch, byte... types) {
        FetchPartition partition = new FetchPartition().partitionIndex(0);
        if (types.length > 0) {
            partition.acknowledgementBatches(List.of(new AcknowledgementBatch()
                    .firstOffset(0)
                    .lastOffset(types.length - 1)
                    .acknowledgeTypes(types)));
        }
        return new ShareFetchRequest()
                .groupId("g")
                .memberId(member)
                .shareSessionEpoch(epoch)
                .maxBytes(1 << 20)
                .maxRecords(500)
                .batchSize(500)
                .topics(List.of(new FetchTopic().topicId(topicId).partitions(List.of(partition))));
    }

    private ErrorCode acknowledge(String member, int epoch, long first, long last, byte type) throws Exception {
        ShareAcknowledgeRequest request = new ShareAcknowledgeRequest()
                .groupId("g")
                .memberId(member)
                .shareSessionEpoch(epoch)
                .topics(List.of(new AcknowledgeTopic()
                        .topicId(topicId)
                        .partitions(List.of(new AcknowledgePartition()
                                .partitionIndex(0)
                                .acknowledgementBatches(List.of(new ShareAcknowledgeRequest.AcknowledgementBatch()
                                        .firstOffset(first)
                                        .lastOffset(last)
                                        .acknowledgeTypes(new byte[] {type})))))));
        ShareAcknowledgeResponse answer = broker.ask(ApiKey.SHARE_ACKNOWLEDGE, request, ShareAcknowledgeResponse::read);
        assertThat(answer.errorCode()).isZero();
        return ErrorCode.forCode(answer.responses().get(0).partitions().get(0).errorCode());
    }

    private void produce(int count) throws Exception {
        produce(count, 10);
    }

    private void produce(int count, int valueBytes) throws Exception {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            for (int i = 0; i < count; i++) {
                builder.append(1, null, new byte[valueBytes]);
            }
            ByteBuf built = builder.build();
            ProduceRequest request = new ProduceRequest()
                    .acks((short) -1)
                    .timeoutMs(1000)
                    .topicData(List.of(new TopicProduceData()
                            .topicId(topicId)
                            .partitionData(List.of(new PartitionProduceData().records(Records.of(built))))));
            ProduceResponse answer = broker.ask(ApiKey.PRODUCE, request, ProduceResponse::read);
            assertThat(answer.responses().get(0).partitionResponses().get(0).errorCode())
                    .isZero();
            built.release();
        }
    }

    private static PartitionData only(ShareFetchResponse answer) {
        assertThat(answer.errorCode()).isZero();
        assertThat(answer.responses()).hasSize(1);
        return answer.responses().get(0).partitions().get(0);
    }

    /** First and last offset, and deliveries. */
    private static List<String> ranges(ShareFetchResponse answer) {
        assertThat(answer.errorCode()).isZero();
        return answer.responses().stream()
                .flatMap(topic -> topic.partitions().stream())
                .flatMap(partition -> partition.acquiredRecords().stream())
                .map(range -> range.firstOffset() + "-" + range.lastOffset() + " " + range.deliveryCount())
                .toList();
    }
}

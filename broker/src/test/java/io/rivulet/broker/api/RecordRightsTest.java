package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.TestBroker;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import io.rivulet.protocol.message.OffsetForLeaderEpochResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Uuid;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Produce, Fetch and the offsets of partitions, for a client with few rights. */
final class RecordRightsTest {
    private static final short DENIED = ErrorCode.TOPIC_AUTHORIZATION_FAILED.code();
    private static final int BY_NAME = 12;
    private static final int BY_ID = 13;
    private static final int MAX_BYTES = 1 << 20;

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private final TestRights rights = new TestRights();
    private Uuid openId = Uuid.ZERO;
    private Uuid secretId = Uuid.ZERO;

    @BeforeEach
    void createTopics() throws Exception {
        List<CreatableTopicResult> created = broker.tryCreateTopics("open", "secret");
        openId = created.get(0).topicId();
        secretId = created.get(1).topicId();
        broker.access(rights.topic(Operation.WRITE, "open").topic(Operation.READ, "open"));
    }

    // ---- produce ----

    private static TopicProduceData data(String name, Uuid id, boolean transactional) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf built = (transactional ? builder.producer(7, (short) 0, 0).transactional() : builder)
                    .append(1, null, new byte[1])
                    .build();
            return new TopicProduceData()
                    .name(name)
                    .topicId(id)
                    .partitionData(List.of(new PartitionProduceData().records(Records.of(built))));
        }
    }

    private List<Short> produce(int version, ProduceRequest request) throws Exception {
        return broker
                .ask(ApiKey.PRODUCE, version, request.acks((short) -1).timeoutMs(1000), ProduceResponse::read)
                .responses()
                .stream()
                .map(topic -> topic.partitionResponses().get(0).errorCode())
                .toList();
    }

    @Test
    void oneTopicOfARequestIsWrittenAndTheOtherIsNot() throws Exception {
        Uuid none = Uuid.ZERO;
        ProduceRequest byName = new ProduceRequest()
                .topicData(List.of(
                        data("secret", none, false), data("open", none, false), data("no-such-topic", none, false)));

        assertThat(produce(BY_NAME, byName)).containsExactly(DENIED, (short) 0, DENIED);
    }

    @Test
    void anIdThatIsUnknownIsNoMatterOfRights() throws Exception {
        ProduceRequest byId = new ProduceRequest()
                .topicData(
                        List.of(data("", secretId, false), data("", openId, false), data("", new Uuid(4, 7), false)));

        assertThat(produce(BY_ID, byId)).containsExactly(DENIED, (short) 0, ErrorCode.UNKNOWN_TOPIC_ID.code());
    }

    @Test
    void aTransactionalBatchNeedsTheTransactionalId() throws Exception {
        ProduceRequest request = new ProduceRequest()
                .transactionalId("t")
                .topicData(List.of(data("open", Uuid.ZERO, true), data("secret", Uuid.ZERO, true)));
        short refused = ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.code();

        assertThat(produce(BY_NAME, request)).containsExactly(refused, refused);

        rights.transaction(Operation.WRITE, "t");
        assertThat(produce(BY_NAME, request)).doesNotContain(refused).contains(DENIED);
    }

    // ---- fetch ----

    private FetchResponse fetch(int version, FetchRequest request) throws Exception {
        return broker.ask(ApiKey.FETCH, version, request.maxBytes(MAX_BYTES), FetchResponse::read);
    }

    private static FetchTopic wanted(String name, Uuid id) {
        return new FetchTopic()
                .topic(name)
                .topicId(id)
                .partitions(List.of(new FetchPartition().partitionMaxBytes(MAX_BYTES)));
    }

    private static PartitionData partition(FetchResponse response, int topic) {
        return response.responses().get(topic).partitions().get(0);
    }

    @Test
    void aTopicThatMayNotBeReadHasNoOffsets() throws Exception {
        FetchResponse response = fetch(
                BY_NAME,
                new FetchRequest()
                        .sessionEpoch(-1)
                        .topics(List.of(wanted("secret", Uuid.ZERO), wanted("open", Uuid.ZERO))));

        assertThat(partition(response, 0))
                .matches(denied -> denied.errorCode() == DENIED && denied.highWatermark() == -1);
        assertThat(partition(response, 1)).matches(read -> read.errorCode() == 0 && read.highWatermark() == 0);
    }

    @Test
    void aSessionFollowsItsRights() throws Exception {
        produce(BY_ID, new ProduceRequest().topicData(List.of(data("", openId, false))));
        FetchRequest first =
                new FetchRequest().sessionEpoch(0).topics(List.of(wanted("", openId), wanted("", secretId)));

        FetchResponse begun = fetch(BY_ID, first);
        assertThat(Objects.requireNonNull(partition(begun, 0).records()).sizeInBytes())
                .isPositive();
        assertThat(partition(begun, 1).errorCode()).isEqualTo(DENIED);

        rights.deny(Operation.READ, ResourceType.TOPIC, "open");
        rights.topic(Operation.READ, "secret");
        FetchResponse next =
                fetch(BY_ID, new FetchRequest().sessionId(begun.sessionId()).sessionEpoch(1));
        assertThat(next.responses()).hasSize(2);
        for (int i = 0; i < 2; i++) {
            boolean isSecret = next.responses().get(i).topicId().equals(secretId);
            assertThat(partition(next, i).errorCode()).isEqualTo(isSecret ? 0 : DENIED);
            assertThat(Objects.requireNonNull(partition(next, i).records()).sizeInBytes())
                    .isZero();
        }
    }

    @Test
    void aReplicaNeedsARightOfTheCluster() throws Exception {
        FetchRequest request =
                new FetchRequest().sessionEpoch(-1).replicaId(5).topics(List.of(wanted("open", Uuid.ZERO)));

        assertThat(partition(fetch(BY_NAME, request), 0).errorCode()).isEqualTo(DENIED);
        rights.cluster(Operation.CLUSTER_ACTION);
        assertThat(partition(fetch(BY_NAME, request), 0).errorCode()).isZero();
    }

    // ---- offsets ----

    @Test
    void theEndOfAnEpochIsForClientsThatDescribeTheTopicAndForBrokers() throws Exception {
        assertThat(endOfEpoch()).isEqualTo(DENIED);
        rights.topic(Operation.DESCRIBE, "open");
        assertThat(endOfEpoch()).isZero();
        rights.deny(Operation.DESCRIBE, ResourceType.TOPIC, "open");
        rights.cluster(Operation.CLUSTER_ACTION);
        assertThat(endOfEpoch()).isZero();
    }

    private short endOfEpoch() throws Exception {
        OffsetForLeaderEpochRequest request = new OffsetForLeaderEpochRequest()
                .topics(List.of(
                        new OffsetForLeaderTopic().topic("open").partitions(List.of(new OffsetForLeaderPartition()))));
        return broker.ask(ApiKey.OFFSET_FOR_LEADER_EPOCH, request, OffsetForLeaderEpochResponse::read)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode();
    }

    @Test
    void aFetchThatWaitsIsRefusedWhenItsRightHasGone() throws Exception {
        FetchRequest request =
                new FetchRequest().minBytes(1).maxWaitMs(60_000).topics(List.of(wanted("open", Uuid.ZERO)));
        ExecutorService client = Executors.newSingleThreadExecutor();
        try {
            Future<FetchResponse> answer = client.submit(() -> fetch(BY_NAME, request));
            rights.awaitQuestion("READ TOPIC open");
            assertThat(endOfEpoch()).as("now the fetch waits").isEqualTo(DENIED);
            rights.deny(Operation.READ, ResourceType.TOPIC, "open");
            produce(BY_NAME, new ProduceRequest().topicData(List.of(data("open", Uuid.ZERO, false))));

            assertThat(partition(answer.get(), 0).errorCode()).isEqualTo(DENIED);
        } finally {
            client.shutdownNow();
        }
    }
}

package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.TestBroker;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.node.Nodes;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.message.ListOffsetsRequest;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import io.rivulet.protocol.message.ListOffsetsResponse;
import io.rivulet.protocol.message.ListOffsetsResponse.ListOffsetsPartitionResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import io.rivulet.protocol.message.OffsetForLeaderEpochResponse;
import io.rivulet.protocol.message.OffsetForLeaderEpochResponse.EpochEndOffset;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.shard.Overview;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to a broker that is the seventh owner of its shard. One record has offset 0. */
final class EpochOfLeaderTest {
    private static final int EPOCH = 7;
    private static final int UNKNOWN = -1;
    private static final String TOPIC = "orders";
    private static final int MAX_BYTES = 1 << 20;
    private static final int RECORD_TIMESTAMP = 5000;

    @RegisterExtension
    final TestBroker broker =
            new TestBroker(Map.of(), config -> Nodes.cluster(config, () -> new Overview(List.of(), 1, EPOCH), EPOCH));

    private Uuid topicId = Uuid.ZERO;

    @BeforeEach
    void produceARecord() throws Exception {
        topicId = broker.tryCreateTopics(TOPIC).get(0).topicId();
        assertThat(produce()).isZero();
    }

    private short produce() throws Exception {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf batch = builder.append(RECORD_TIMESTAMP, null, new byte[1]).build();
            ProduceRequest request = new ProduceRequest()
                    .acks((short) -1)
                    .timeoutMs(1000)
                    .topicData(List.of(new TopicProduceData()
                            .topicId(topicId)
                            .partitionData(List.of(new PartitionProduceData().records(Records.of(batch))))));
            return broker.ask(ApiKey.PRODUCE, request, ProduceResponse::read)
                    .responses()
                    .get(0)
                    .partitionResponses()
                    .get(0)
                    .errorCode();
        }
    }

    @Test
    void descriptionsOfPartitionsHaveIt() throws Exception {
        MetadataResponse metadata =
                broker.ask(ApiKey.METADATA, new MetadataRequest().topics(null), MetadataResponse::read);
        DescribeTopicPartitionsResponse described = broker.ask(
                ApiKey.DESCRIBE_TOPIC_PARTITIONS,
                new DescribeTopicPartitionsRequest(),
                DescribeTopicPartitionsResponse::read);

        assertThat(metadata.topics().get(0).partitions().get(0).leaderEpoch()).isEqualTo(EPOCH);
        assertThat(described.topics().get(0).partitions().get(0).leaderEpoch()).isEqualTo(EPOCH);
    }

    // ---- fetch ----

    private PartitionData fetch(int expectedEpoch, int lastFetchedEpoch) throws Exception {
        FetchRequest request = new FetchRequest()
                .sessionEpoch(-1)
                .maxBytes(MAX_BYTES)
                .topics(List.of(new FetchTopic()
                        .topicId(topicId)
                        .partitions(List.of(new FetchPartition()
                                .currentLeaderEpoch(expectedEpoch)
                                .lastFetchedEpoch(lastFetchedEpoch)
                                .partitionMaxBytes(MAX_BYTES)))));
        return broker.ask(ApiKey.FETCH, request, FetchResponse::read)
                .responses()
                .get(0)
                .partitions()
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {UNKNOWN, EPOCH})
    void aFetchGetsBatchesWithIt(int expectedEpoch) throws Exception {
        PartitionData fetched = fetch(expectedEpoch, UNKNOWN);

        assertThat(fetched.errorCode()).isZero();
        Records records = Objects.requireNonNull(fetched.records());
        assertThat(records.buffer().getInt(records.index() + RecordBatchLayout.PARTITION_LEADER_EPOCH))
                .isEqualTo(EPOCH);
    }

    @Test
    void whatWasReadUnderAnEarlierLeaderIsContinued() throws Exception {
        PartitionData fetched = fetch(EPOCH, 3);

        assertThat(fetched.errorCode()).isZero();
        assertThat(Objects.requireNonNull(fetched.records()).sizeInBytes()).isPositive();
        assertThat(fetched.divergingEpoch().endOffset()).isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"6, FENCED_LEADER_EPOCH", "0, FENCED_LEADER_EPOCH", "8, UNKNOWN_LEADER_EPOCH"})
    void aFetchThatExpectsAnotherLeaderGetsNothing(int expectedEpoch, ErrorCode error) throws Exception {
        PartitionData fetched = fetch(expectedEpoch, UNKNOWN);

        assertThat(fetched.errorCode()).isEqualTo(error.code());
        assertThat(Objects.requireNonNull(fetched.records()).sizeInBytes()).isZero();
    }

    // ---- offsets ----

    private ListOffsetsPartitionResponse offsets(int expectedEpoch, long timestamp) throws Exception {
        ListOffsetsRequest request = new ListOffsetsRequest()
                .topics(List.of(new ListOffsetsTopic()
                        .name(TOPIC)
                        .partitions(List.of(new ListOffsetsPartition()
                                .currentLeaderEpoch(expectedEpoch)
                                .timestamp(timestamp)))));
        return broker.ask(ApiKey.LIST_OFFSETS, request, ListOffsetsResponse::read)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "-2, 0", "-3, 0", "4000, 0"})
    void offsetsAreListedWithIt(long timestamp, long offset) throws Exception {
        assertThat(offsets(EPOCH, timestamp)).satisfies(listed -> {
            assertThat(listed.offset()).isEqualTo(offset);
            assertThat(listed.leaderEpoch()).isEqualTo(EPOCH);
        });
        assertThat(offsets(UNKNOWN, timestamp).errorCode()).isZero();
    }

    @Test
    void anOffsetThatIsNotFoundHasNoEpoch() throws Exception {
        assertThat(offsets(EPOCH, RECORD_TIMESTAMP + 1))
                .matches(none -> none.errorCode() == 0 && none.offset() == UNKNOWN && none.leaderEpoch() == UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"6, FENCED_LEADER_EPOCH", "8, UNKNOWN_LEADER_EPOCH"})
    void offsetsOfAnotherLeaderAreNotListed(int expectedEpoch, ErrorCode error) throws Exception {
        assertThat(offsets(expectedEpoch, -1).errorCode()).isEqualTo(error.code());
        assertThat(end(expectedEpoch, EPOCH)).matches(end -> end.errorCode() == error.code() && end.endOffset() == -1);
    }

    private EpochEndOffset end(int expectedEpoch, int ofEpoch) throws Exception {
        OffsetForLeaderEpochRequest request = new OffsetForLeaderEpochRequest()
                .topics(List.of(new OffsetForLeaderTopic()
                        .topic(TOPIC)
                        .partitions(List.of(new OffsetForLeaderPartition()
                                .currentLeaderEpoch(expectedEpoch)
                                .leaderEpoch(ofEpoch)))));
        return broker.ask(ApiKey.OFFSET_FOR_LEADER_EPOCH, request, OffsetForLeaderEpochResponse::read)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, EPOCH})
    void eachEpochSoFarEndsAtTheEndOfThePartition(int epoch) throws Exception {
        for (int expectedEpoch : new int[] {UNKNOWN, EPOCH}) {
            assertThat(end(expectedEpoch, epoch))
                    .matches(end -> end.errorCode() == 0 && end.leaderEpoch() == epoch && end.endOffset() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, Integer.MAX_VALUE, UNKNOWN, -2})
    void noOtherEpochHasAnEnd(int epoch) throws Exception {
        assertThat(end(EPOCH, epoch))
                .matches(end -> end.errorCode() == 0 && end.leaderEpoch() == UNKNOWN && end.endOffset() == UNKNOWN);
    }

    // ---- share groups ----

    @Test
    void recordsOfAShareGroupHaveIt() throws Exception {
        ShareGroupHeartbeatRequest join =
                new ShareGroupHeartbeatRequest().groupId("g").memberId("m").subscribedTopicNames(List.of(TOPIC));
        assertThat(broker.ask(ApiKey.SHARE_GROUP_HEARTBEAT, join, ShareGroupHeartbeatResponse::read)
                        .errorCode())
                .isZero();
        assertThat(shareFetch(0).sizeInBytes()).isZero();
        assertThat(produce()).isZero();

        Records records = shareFetch(1);

        assertThat(records.buffer().getInt(records.index() + RecordBatchLayout.PARTITION_LEADER_EPOCH))
                .isEqualTo(EPOCH);
        assertThat(broker.ask(
                                ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS,
                                offsetsOfShareGroup(),
                                DescribeShareGroupOffsetsResponse::read)
                        .groups()
                        .get(0)
                        .topics()
                        .get(0)
                        .partitions()
                        .get(0)
                        .leaderEpoch())
                .isEqualTo(EPOCH);
    }

    private Records shareFetch(int sessionEpoch) throws Exception {
        ShareFetchRequest request = new ShareFetchRequest()
                .groupId("g")
                .memberId("m")
                .shareSessionEpoch(sessionEpoch)
                .maxBytes(MAX_BYTES)
                .maxRecords(500)
                .batchSize(500)
                .topics(List.of(new ShareFetchRequest.FetchTopic()
                        .topicId(topicId)
                        .partitions(List.of(new ShareFetchRequest.FetchPartition()))));
        return Objects.requireNonNull(broker.ask(ApiKey.SHARE_FETCH, request, ShareFetchResponse::read)
                .responses()
                .get(0)
                .partitions()
                .get(0)
                .records());
    }

    private static DescribeShareGroupOffsetsRequest offsetsOfShareGroup() {
        return new DescribeShareGroupOffsetsRequest()
                .groups(List.of(
                        new DescribeShareGroupOffsetsRequestGroup().groupId("g").topics(null)));
    }
}

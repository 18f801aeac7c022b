package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData.DescribableLogDirTopic;
import org.apache.kafka.common.message.DescribeLogDirsRequestData.DescribableLogDirTopicCollection;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopicCollection;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every advertised version of every API has a response, for an existing topic and a missing one. */
@SeveralBrokers
final class EveryVersionIT {
    private static final short LOWEST_PRODUCE = 3;

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory);
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    @Test
    void everyAdvertisedVersionIsAnswered() throws Exception {
        Uuid topicId = createTopic();
        List<String> answered = new ArrayList<>();
        try (Wire wire = new Wire(broker)) {
            for (ApiVersion api : advertised(wire)) {
                ApiKeys key = ApiKeys.forId(api.apiKey());
                int lowest = key == ApiKeys.PRODUCE ? LOWEST_PRODUCE : api.minVersion();
                for (int version = lowest; version <= api.maxVersion(); version++) {
                    for (ApiMessage request : requests(key, (short) version, topicId)) {
                        wire.ask(key, (short) version, request);
                        answered.add(key.name + version);
                    }
                }
            }
        }

        assertThat(answered).contains("Produce3", "Produce13", "Fetch4", "Fetch18", "Metadata0", "ListOffsets1");
    }

    @Test
    void aRecordIsProducedAndFetchedInEveryVersion() throws Exception {
        Uuid topicId = createTopic();
        try (Wire wire = new Wire(broker)) {
            for (short version = 3; version <= 13; version++) {
                ProduceResponseData produced =
                        (ProduceResponseData) wire.ask(ApiKeys.PRODUCE, version, produce("there", topicId));
                assertThat(produced.responses()
                                .iterator()
                                .next()
                                .partitionResponses()
                                .get(0))
                        .satisfies(partition -> {
                            assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.NONE);
                        });
            }
            for (short version = 4; version <= 18; version++) {
                FetchResponseData fetched =
                        (FetchResponseData) wire.ask(ApiKeys.FETCH, version, fetch("there", topicId, version));
                assertThat(fetched.responses().get(0).partitions().get(0)).satisfies(partition -> {
                    assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.NONE);
                    assertThat(partition.highWatermark()).isEqualTo(11);
                    MemoryRecords records = (MemoryRecords) partition.records();
                    assertThat(records.batches()).allSatisfy(RecordBatch::ensureValid);
                    assertThat(records.records()).extracting(Record::offset).containsExactlyElementsOf(offsets());
                });
            }
        }
    }

    private static List<Long> offsets() {
        return LongStream.range(0, 11).boxed().toList();
    }

    private Uuid createTopic() throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            return admin.createTopics(List.of(new NewTopic("there", 1, (short) 1)))
                    .topicId("there")
                    .get();
        }
    }

    private static List<ApiVersion> advertised(Wire wire) throws IOException {
        ApiVersionsResponseData response =
                (ApiVersionsResponseData) wire.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData());
        return List.copyOf(response.apiKeys());
    }

    private static List<ApiMessage> requests(ApiKeys key, short version, Uuid topicId) {
        Map<String, Uuid> topics = Map.of("there", topicId, "missing", Uuid.randomUuid());
        Stream<ApiMessage> requests =
                topics.entrySet().stream().map(topic -> request(key, version, topic.getKey(), topic.getValue()));
        return requests.toList();
    }

    private static ApiMessage request(ApiKeys key, short version, String topic, Uuid topicId) {
        return switch (key) {
            case PRODUCE -> produce(topic, topicId);
            case FETCH -> fetch(topic, topicId, version);
            case LIST_OFFSETS ->
                new ListOffsetsRequestData()
                        .setTopics(List.of(new ListOffsetsTopic()
                                .setName(topic)
                                .setPartitions(List.of(
                                        new ListOffsetsPartition().setTimestamp(-1),
                                        new ListOffsetsPartition().setTimestamp(-2),
                                        new ListOffsetsPartition().setTimestamp(-3),
                                        new ListOffsetsPartition().setTimestamp(0)))));
            case METADATA ->
                new MetadataRequestData()
                        .setAllowAutoTopicCreation(true)
                        .setTopics(List.of(new MetadataRequestTopic()
                                .setName(version < 12 ? topic : null)
                                .setTopicId(version < 12 ? Uuid.ZERO_UUID : topicId)));
            case OFFSET_FOR_LEADER_EPOCH ->
                new OffsetForLeaderEpochRequestData()
                        .setTopics(new OffsetForLeaderTopicCollection(List.of(new OffsetForLeaderTopic()
                                        .setTopic(topic)
                                        .setPartitions(List.of(new OffsetForLeaderPartition())))
                                .iterator()));
            case DESCRIBE_LOG_DIRS ->
                new DescribeLogDirsRequestData()
                        .setTopics(new DescribableLogDirTopicCollection(List.of(new DescribableLogDirTopic()
                                        .setTopic(topic)
                                        .setPartitions(List.of(0, 1)))
                                .iterator()));
            case CREATE_TOPICS ->
                new CreateTopicsRequestData()
                        .setValidateOnly(true)
                        .setTopics(new CreatableTopicCollection(List.of(new CreatableTopic()
                                        .setName(topic)
                                        .setNumPartitions(1)
                                        .setReplicationFactor((short) 1))
                                .iterator()));
            case DELETE_TOPICS ->
                version < 6
                        ? new DeleteTopicsRequestData().setTopicNames(List.of("never"))
                        : new DeleteTopicsRequestData().setTopics(List.of(new DeleteTopicState().setName("never")));
            default -> key.messageType.newRequest();
        };
    }

    private static ProduceRequestData produce(String topic, Uuid topicId) {
        MemoryRecords records =
                MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)));
        return new ProduceRequestData()
                .setAcks((short) -1)
                .setTopicData(new ProduceRequestData.TopicProduceDataCollection(
                        List.of(new ProduceRequestData.TopicProduceData()
                                        .setName(topic)
                                        .setTopicId(topicId)
                                        .setPartitionData(List.of(
                                                new ProduceRequestData.PartitionProduceData().setRecords(records))))
                                .iterator()));
    }

    private static FetchRequestData fetch(String topic, Uuid topicId, short version) {
        return new FetchRequestData()
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setSessionEpoch(version < 7 ? -1 : 0)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(topic)
                        .setTopicId(topicId)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition().setPartitionMaxBytes(1 << 20)))));
    }
}

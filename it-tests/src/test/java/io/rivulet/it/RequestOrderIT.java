package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.Wire.Question;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfigCollection;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request sees what earlier requests of its connection have changed, although the client awaits no answer. */
@SeveralBrokers
class RequestOrderIT {
    private static final int TRIES = 40;
    private static final String TOPIC = "order";
    private static final String GROUP = "order-group";
    private static final String TXN = "order-txn";

    private static final int PRODUCE_VERSION = 12;
    private static final int FETCH_VERSION = 12;
    private static final int FETCH_BYTES = 1 << 20;
    private static final long EARLIEST = -2;
    private static final long LATEST = -1;
    private static final byte READ_COMMITTED = 1;
    private static final byte TOPIC_CONFIG = 2;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Wire wire;

    @BeforeEach
    void start() throws IOException {
        broker = TestBroker.start(directory);
        wire = new Wire(broker);
        wire.askTogether(create(TOPIC));
    }

    @AfterEach
    void close() throws IOException {
        wire.close();
        broker.close();
    }

    @Test
    void offsetFetchSeesTheCommitBeforeIt() throws IOException {
        for (int i = 1; i <= TRIES; i++) {
            List<ApiMessage> answers = wire.askTogether(commit(i), fetchOffset());
            assertThat(committed(answers.get(1))).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void listOffsetsSeesTheRecordsBeforeIt(int acks) throws IOException {
        for (int i = 1; i <= TRIES; i++) {
            Question produce = produce(TOPIC, acks, plain());
            assertThat(offset(after(produce, acks, listOffsets(TOPIC, LATEST)))).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void aFetchThatDoesNotWaitSeesTheRecordsBeforeIt(int acks) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            Question produce = produce(TOPIC, acks, plain());
            assertThat(fetchedBytes(after(produce, acks, fetch(i)))).isPositive();
        }
    }

    /** Sends both requests together, and returns the answer to the second. With acks=0 the first has none. */
    private ApiMessage after(Question produce, int acks, Question next) throws IOException {
        return acks == 0
                ? wire.askBehind(produce, next)
                : wire.askTogether(produce, next).get(1);
    }

    @Test
    void recordsThatAreAcknowledgedWithAcks1AreSeenByOthers() throws IOException {
        try (Wire other = new Wire(broker)) {
            for (int i = 1; i <= TRIES; i++) {
                wire.askTogether(produce(TOPIC, 1, plain()));
                assertThat(offset(other.askTogether(listOffsets(TOPIC, LATEST)).get(0)))
                        .isEqualTo(i);
            }
            for (int i = TRIES; i < 2 * TRIES; i++) {
                wire.askTogether(produce(TOPIC, 1, plain()));
                assertThat(fetchedBytes(other.askTogether(fetch(i)).get(0))).isPositive();
            }
        }
    }

    @Test
    void deleteRecordsSeesTheRecordsBeforeItAndListOffsetsTheDeletion() throws IOException {
        for (int i = 1; i <= TRIES; i++) {
            List<ApiMessage> answers =
                    wire.askTogether(produce(TOPIC, 1, plain()), deleteRecords(LATEST), listOffsets(TOPIC, EARLIEST));
            assertThat(offset(answers.get(2))).isEqualTo(i);
        }
    }

    @Test
    void aTopicIsThereForTheRequestsBehindItsCreation() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            String topic = TOPIC + i;
            List<ApiMessage> answers = wire.askTogether(
                    create(topic), metadata(topic), produce(topic, 1, plain()), listOffsets(topic, LATEST));
            MetadataResponseData metadata = (MetadataResponseData) answers.get(1);
            assertThat(metadata.topics().find(topic).errorCode()).isEqualTo(Errors.NONE.code());
            assertThat(offset(answers.get(3))).isEqualTo(1);
        }
    }

    @Test
    void describeConfigsSeesTheChangeBeforeIt() throws IOException {
        for (int i = 1; i <= TRIES; i++) {
            List<ApiMessage> answers = wire.askTogether(alterConfig(i), describeConfig());
            DescribeConfigsResponseData described = (DescribeConfigsResponseData) answers.get(1);
            assertThat(described.results().get(0).configs().get(0).value()).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void theRequestsOfATransactionTakeEffectInTheirOrder() throws IOException {
        InitProducerIdResponseData producer =
                (InitProducerIdResponseData) wire.askTogether(initProducerId()).get(0);
        long id = producer.producerId();
        short epoch = producer.producerEpoch();
        for (int i = 1; i <= TRIES; i++) {
            MemoryRecords records = MemoryRecords.withTransactionalRecords(Compression.NONE, id, epoch, 0, record());
            List<ApiMessage> answers = wire.askTogether(
                    produce(TOPIC, 1, records),
                    txnCommit(id, epoch, i),
                    endTxn(id, epoch),
                    fetchOffset(),
                    listOffsets(TOPIC, LATEST));
            EndTxnResponseData ended = (EndTxnResponseData) answers.get(2);
            assertThat(Errors.forCode(ended.errorCode())).isEqualTo(Errors.NONE);
            assertThat(committed(answers.get(3))).isEqualTo(i);
            assertThat(offset(answers.get(4))).isEqualTo(2L * i); // the record and the marker
            id = ended.producerId();
            epoch = ended.producerEpoch();
        }
    }

    // ---- requests ----

    private static Question create(String topic) {
        return new Question(
                ApiKeys.CREATE_TOPICS,
                7,
                new CreateTopicsRequestData()
                        .setTimeoutMs(10_000)
                        .setTopics(new CreatableTopicCollection(List.of(new CreatableTopic()
                                        .setName(topic)
                                        .setNumPartitions(1)
                                        .setReplicationFactor((short) 1))
                                .iterator())));
    }

    private static Question metadata(String topic) {
        return new Question(
                ApiKeys.METADATA,
                9,
                new MetadataRequestData()
                        .setAllowAutoTopicCreation(false)
                        .setTopics(List.of(new MetadataRequestData.MetadataRequestTopic().setName(topic))));
    }

    private static SimpleRecord record() {
        return new SimpleRecord("value".getBytes(StandardCharsets.UTF_8));
    }

    private static MemoryRecords plain() {
        return MemoryRecords.withRecords(Compression.NONE, record());
    }

    private static Question produce(String topic, int acks, MemoryRecords records) {
        TopicProduceData data = new TopicProduceData()
                .setName(topic)
                .setPartitionData(List.of(new PartitionProduceData().setRecords(records)));
        boolean transactional = records.batches().iterator().next().isTransactional();
        return new Question(
                ApiKeys.PRODUCE,
                PRODUCE_VERSION,
                new ProduceRequestData()
                        .setAcks((short) acks)
                        .setTransactionalId(transactional ? TXN : null)
                        .setTopicData(
                                new TopicProduceDataCollection(List.of(data).iterator())));
    }

    private static Question fetch(long offset) {
        return new Question(
                ApiKeys.FETCH,
                FETCH_VERSION,
                new FetchRequestData()
                        .setMaxWaitMs(0)
                        .setMinBytes(1)
                        .setMaxBytes(FETCH_BYTES)
                        .setTopics(List.of(new FetchRequestData.FetchTopic()
                                .setTopic(TOPIC)
                                .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                        .setFetchOffset(offset)
                                        .setPartitionMaxBytes(FETCH_BYTES))))));
    }

    private static Question listOffsets(String topic, long timestamp) {
        return new Question(
                ApiKeys.LIST_OFFSETS,
                7,
                new ListOffsetsRequestData()
                        .setReplicaId(-1)
                        .setIsolationLevel(READ_COMMITTED)
                        .setTopics(List.of(new ListOffsetsTopic()
                                .setName(topic)
                                .setPartitions(List.of(new ListOffsetsPartition().setTimestamp(timestamp))))));
    }

    private static Question deleteRecords(long offset) {
        return new Question(
                ApiKeys.DELETE_RECORDS,
                2,
                new DeleteRecordsRequestData()
                        .setTimeoutMs(10_000)
                        .setTopics(List.of(new DeleteRecordsRequestData.DeleteRecordsTopic()
                                .setName(TOPIC)
                                .setPartitions(List.of(
                                        new DeleteRecordsRequestData.DeleteRecordsPartition().setOffset(offset))))));
    }

    private static Question commit(long offset) {
        return new Question(
                ApiKeys.OFFSET_COMMIT,
                9,
                new OffsetCommitRequestData()
                        .setGroupId(GROUP)
                        .setTopics(List.of(new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                .setName(TOPIC)
                                .setPartitions(List.of(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                        .setCommittedOffset(offset))))));
    }

    private static Question fetchOffset() {
        return new Question(
                ApiKeys.OFFSET_FETCH,
                9,
                new OffsetFetchRequestData()
                        .setGroups(List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                                .setGroupId(GROUP)
                                .setTopics(List.of(new OffsetFetchRequestData.OffsetFetchRequestTopics()
                                        .setName(TOPIC)
                                        .setPartitionIndexes(List.of(0)))))));
    }

    private static Question alterConfig(int value) {
        AlterableConfig config = new AlterableConfig().setName("retention.ms").setValue(String.valueOf(value));
        AlterConfigsResource resource = new AlterConfigsResource()
                .setResourceType(TOPIC_CONFIG)
                .setResourceName(TOPIC)
                .setConfigs(new AlterableConfigCollection(List.of(config).iterator()));
        return new Question(
                ApiKeys.INCREMENTAL_ALTER_CONFIGS,
                1,
                new IncrementalAlterConfigsRequestData()
                        .setResources(new IncrementalAlterConfigsRequestData.AlterConfigsResourceCollection(
                                List.of(resource).iterator())));
    }

    private static Question describeConfig() {
        return new Question(
                ApiKeys.DESCRIBE_CONFIGS,
                4,
                new DescribeConfigsRequestData()
                        .setResources(List.of(new DescribeConfigsRequestData.DescribeConfigsResource()
                                .setResourceType(TOPIC_CONFIG)
                                .setResourceName(TOPIC)
                                .setConfigurationKeys(List.of("retention.ms")))));
    }

    private static Question initProducerId() {
        return new Question(
                ApiKeys.INIT_PRODUCER_ID,
                5,
                new InitProducerIdRequestData().setTransactionalId(TXN).setTransactionTimeoutMs(60_000));
    }

    private static Question txnCommit(long producerId, short epoch, long offset) {
        return new Question(
                ApiKeys.TXN_OFFSET_COMMIT,
                5,
                new TxnOffsetCommitRequestData()
                        .setTransactionalId(TXN)
                        .setGroupId(GROUP)
                        .setProducerId(producerId)
                        .setProducerEpoch(epoch)
                        .setTopics(List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic()
                                .setName(TOPIC)
                                .setPartitions(List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition()
                                        .setCommittedOffset(offset))))));
    }

    private static Question endTxn(long producerId, short epoch) {
        return new Question(
                ApiKeys.END_TXN,
                5,
                new EndTxnRequestData()
                        .setTransactionalId(TXN)
                        .setProducerId(producerId)
                        .setProducerEpoch(epoch)
                        .setCommitted(true));
    }

    // ---- answers ----

    private static long committed(ApiMessage answer) {
        return ((OffsetFetchResponseData) answer)
                .groups()
                .get(0)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .committedOffset();
    }

    private static long offset(ApiMessage answer) {
        ListOffsetsResponseData.ListOffsetsPartitionResponse partition =
                ((ListOffsetsResponseData) answer).topics().get(0).partitions().get(0);
        assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.NONE);
        return partition.offset();
    }

    private static int fetchedBytes(ApiMessage answer) {
        FetchResponseData.PartitionData partition =
                ((FetchResponseData) answer).responses().get(0).partitions().get(0);
        assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.NONE);
        return partition.records().sizeInBytes();
    }
}

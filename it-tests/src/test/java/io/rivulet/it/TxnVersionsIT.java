package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransactionCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole life of a transaction with the n-th version of all its APIs, or the last version of those that have fewer.
 */
@SeveralBrokers
final class TxnVersionsIT {
    private static final short LOWEST_PRODUCE = 3;

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Wire wire;
    private Uuid topicId;
    private int nth;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, Map.of());
        wire = new Wire(broker);
        try (Admin admin = Clients.admin(broker)) {
            topicId = admin.createTopics(List.of(new NewTopic("t", 2, (short) 1)))
                    .topicId("t")
                    .get();
        }
    }

    @AfterEach
    void stop() throws IOException {
        wire.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aTransactionLivesAndEndsInEveryVersion(int versions) throws IOException {
        nth = versions;
        boolean addsItself = version(ApiKeys.PRODUCE) >= 12;

        InitProducerIdResponseData producer = init();
        assertThat(listed()).isEqualTo("Empty");
        Errors notAdded = version(ApiKeys.PRODUCE) >= 11 ? Errors.TRANSACTION_ABORTABLE : Errors.INVALID_TXN_STATE;
        assertThat(produce(producer, 0, 0)).isEqualTo(addsItself ? Errors.NONE : notAdded);
        assertThat(add(producer, "t", 0)).isEqualTo(Errors.NONE);
        assertThat(add(producer, "t", 7)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        if (!addsItself) {
            assertThat(produce(producer, 0, 0)).isEqualTo(Errors.NONE);
        }
        addOffsets(producer);
        assertThat(commitOffsets(producer)).isEqualTo(Errors.NONE);
        assertThat(listed()).isEqualTo("Ongoing");
        end(producer, Errors.NONE);
        assertThat(listed()).isEqualTo("CompleteCommit");
        end(producer, Errors.NONE);

        InitProducerIdResponseData next = init();
        assertThat(next.producerEpoch()).isGreaterThan(producer.producerEpoch());
        end(producer, version(ApiKeys.END_TXN) >= 2 ? Errors.PRODUCER_FENCED : Errors.INVALID_PRODUCER_EPOCH);
        assertThat(produce(producer, 1, 0)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);

        assertThat(add(next, "t", 1)).isEqualTo(Errors.NONE);
        assertThat(produce(next, 1, 0)).isEqualTo(Errors.NONE);
        assertThat(abortByAdministrator(producer, 1)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(abortByAdministrator(next, 1)).isEqualTo(Errors.NONE);
    }

    private Errors abortByAdministrator(InitProducerIdResponseData producer, int partition) throws IOException {
        WriteTxnMarkersRequestData request = new WriteTxnMarkersRequestData()
                .setMarkers(List.of(new WriteTxnMarkersRequestData.WritableTxnMarker()
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch())
                        .setTopics(List.of(new WriteTxnMarkersRequestData.WritableTxnMarkerTopic()
                                .setName("t")
                                .setPartitionIndexes(List.of(partition))))));
        return Errors.forCode(ask(ApiKeys.WRITE_TXN_MARKERS, request, WriteTxnMarkersResponseData.class)
                .markers()
                .get(0)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode());
    }

    private short version(ApiKeys key) {
        int lowest = key == ApiKeys.PRODUCE ? LOWEST_PRODUCE : key.oldestVersion();
        int highest = key == ApiKeys.INIT_PRODUCER_ID ? 5 : key.latestVersion();
        return (short) Math.min(highest, lowest + nth);
    }

    private <T extends ApiMessage> T ask(ApiKeys key, ApiMessage request, Class<T> type) throws IOException {
        return type.cast(wire.ask(key, version(key), request));
    }

    private InitProducerIdResponseData init() throws IOException {
        InitProducerIdResponseData response = ask(
                ApiKeys.INIT_PRODUCER_ID,
                new InitProducerIdRequestData().setTransactionalId("x").setTransactionTimeoutMs(60_000),
                InitProducerIdResponseData.class);
        assertThat(Errors.forCode(response.errorCode())).isEqualTo(Errors.NONE);
        return response;
    }

    private String listed() throws IOException {
        return ask(ApiKeys.LIST_TRANSACTIONS, new ListTransactionsRequestData(), ListTransactionsResponseData.class)
                .transactionStates()
                .get(0)
                .transactionState();
    }

    private Errors produce(InitProducerIdResponseData producer, int partition, int sequence) throws IOException {
        MemoryRecords records = MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                producer.producerId(),
                producer.producerEpoch(),
                sequence,
                new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)));
        ProduceRequestData request = new ProduceRequestData()
                .setTransactionalId("x")
                .setAcks((short) -1)
                .setTopicData(new ProduceRequestData.TopicProduceDataCollection(
                        List.of(new ProduceRequestData.TopicProduceData()
                                        .setName("t")
                                        .setTopicId(topicId)
                                        .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                                .setIndex(partition)
                                                .setRecords(records))))
                                .iterator()));
        return Errors.forCode(ask(ApiKeys.PRODUCE, request, ProduceResponseData.class)
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0)
                .errorCode());
    }

    private Errors add(InitProducerIdResponseData producer, String topic, int partition) throws IOException {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection(
                List.of(new AddPartitionsToTxnTopic().setName(topic).setPartitions(List.of(partition)))
                        .iterator());
        boolean batched = version(ApiKeys.ADD_PARTITIONS_TO_TXN) >= 4;
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData();
        if (batched) {
            request.setTransactions(
                    new AddPartitionsToTxnTransactionCollection(List.of(new AddPartitionsToTxnTransaction()
                                    .setTransactionalId("x")
                                    .setProducerId(producer.producerId())
                                    .setProducerEpoch(producer.producerEpoch())
                                    .setTopics(topics))
                            .iterator()));
        } else {
            request.setV3AndBelowTransactionalId("x")
                    .setV3AndBelowProducerId(producer.producerId())
                    .setV3AndBelowProducerEpoch(producer.producerEpoch())
                    .setV3AndBelowTopics(topics);
        }
        AddPartitionsToTxnResponseData response =
                ask(ApiKeys.ADD_PARTITIONS_TO_TXN, request, AddPartitionsToTxnResponseData.class);
        return Errors.forCode((batched
                        ? response.resultsByTransaction().iterator().next().topicResults()
                        : response.resultsByTopicV3AndBelow())
                .iterator()
                .next()
                .resultsByPartition()
                .iterator()
                .next()
                .partitionErrorCode());
    }

    private void addOffsets(InitProducerIdResponseData producer) throws IOException {
        AddOffsetsToTxnResponseData response = ask(
                ApiKeys.ADD_OFFSETS_TO_TXN,
                new AddOffsetsToTxnRequestData()
                        .setTransactionalId("x")
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch())
                        .setGroupId("g"),
                AddOffsetsToTxnResponseData.class);
        assertThat(Errors.forCode(response.errorCode())).isEqualTo(Errors.NONE);
    }

    private Errors commitOffsets(InitProducerIdResponseData producer) throws IOException {
        boolean byId = version(ApiKeys.TXN_OFFSET_COMMIT) >= 6;
        TxnOffsetCommitRequestTopic topic = new TxnOffsetCommitRequestTopic()
                .setPartitions(List.of(new TxnOffsetCommitRequestPartition()
                        .setPartitionIndex(0)
                        .setCommittedOffset(1)));
        if (byId) {
            topic.setTopicId(topicId);
        } else {
            topic.setName("t");
        }
        return Errors.forCode(ask(
                        ApiKeys.TXN_OFFSET_COMMIT,
                        new TxnOffsetCommitRequestData()
                                .setTransactionalId("x")
                                .setGroupId("g")
                                .setProducerId(producer.producerId())
                                .setProducerEpoch(producer.producerEpoch())
                                .setTopics(List.of(topic)),
                        TxnOffsetCommitResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode());
    }

    private void end(InitProducerIdResponseData producer, Errors expected) throws IOException {
        EndTxnResponseData response = ask(
                ApiKeys.END_TXN,
                new EndTxnRequestData()
                        .setTransactionalId("x")
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch())
                        .setCommitted(true),
                EndTxnResponseData.class);
        assertThat(Errors.forCode(response.errorCode())).isEqualTo(expected);
    }
}

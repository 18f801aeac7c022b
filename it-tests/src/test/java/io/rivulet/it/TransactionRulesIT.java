package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.PolicyViolationException;
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
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a broker refuses, and what it tells administrators about producers and transactions. */
@SeveralBrokers
final class TransactionRulesIT {
    private static final TopicPartition PLACE = new TopicPartition("t", 0);
    private static final short PRODUCE_VERSION = 12;
    private static final short INIT_VERSION = 5;
    private static final short ADD_VERSION = 5;
    private static final short END_VERSION = 5;
    private static final short MARKERS_VERSION = 2;
    private static final long NEVER_SEEN = 77_777;
    private static final SimpleRecord RECORD = new SimpleRecord("value".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Wire wire;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, Map.of("producer.id.expiration.ms", "2000"));
        wire = new Wire(broker);
        admin = Clients.admin(broker);
        admin.createTopics(List.of(
                        new NewTopic(PLACE.topic(), 1, (short) 1),
                        new NewTopic("table", 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                .all()
                .get();
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        wire.close();
        broker.close();
    }

    @Test
    void aBatchWithoutATransactionIsRefusedInItsProducersOpenTransaction() throws Exception {
        InitProducerIdResponseData producer = init("x");
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);

        assertThat(produce(null, idempotent(producer, 1))).isEqualTo(Errors.INVALID_TXN_STATE);

        EndTxnResponseData next = end(producer);
        MemoryRecords batch = MemoryRecords.withIdempotentRecords(
                Compression.NONE, next.producerId(), next.producerEpoch(), 0, RECORD);
        assertThat(produce(null, batch)).isEqualTo(Errors.NONE);
    }

    @Test
    void aTransactionalBatchNeedsATransactionalId() throws Exception {
        InitProducerIdResponseData producer = init("x");

        assertThat(produce(null, transactional(producer, 0))).isEqualTo(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);
    }

    @Test
    void aTransactionBeginsAtSequenceZero() throws Exception {
        InitProducerIdResponseData producer = init("x");

        assertThat(produce(transactional(producer, 1))).isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);
        assertThat(produce(transactional(producer, 1))).isEqualTo(Errors.NONE);
    }

    @Test
    void offsetsThatWereNotAddedAreRefusedInAWayThatTheClientKnows() throws Exception {
        InitProducerIdResponseData producer = init("x");

        assertThat(commitOffsets(producer, 3)).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(commitOffsets(producer, 4)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        assertThat(commitOffsets(producer, 5)).isEqualTo(Errors.NONE);
    }

    private Errors commitOffsets(InitProducerIdResponseData producer, int version) throws IOException {
        TxnOffsetCommitRequestPartition partition =
                new TxnOffsetCommitRequestPartition().setPartitionIndex(0).setCommittedOffset(1);
        TxnOffsetCommitRequestData request = new TxnOffsetCommitRequestData()
                .setTransactionalId("x")
                .setGroupId("g")
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setTopics(List.of(
                        new TxnOffsetCommitRequestTopic().setName(PLACE.topic()).setPartitions(List.of(partition))));
        TxnOffsetCommitResponseData answer =
                (TxnOffsetCommitResponseData) wire.ask(ApiKeys.TXN_OFFSET_COMMIT, (short) version, request);
        return Errors.forCode(answer.topics().get(0).partitions().get(0).errorCode());
    }

    @Test
    void eachPartitionIsVerifiedByItself() throws Exception {
        InitProducerIdResponseData producer = init("x");
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);

        assertThat(verify(producer, PLACE.topic())).containsExactly(Errors.NONE);
        assertThat(verify(producer, PLACE.topic(), "table")).containsExactly(Errors.NONE, Errors.TRANSACTION_ABORTABLE);
        assertThat(verify(producer, PLACE.topic(), "missing"))
                .containsExactly(Errors.OPERATION_NOT_ATTEMPTED, Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    private List<Errors> verify(InitProducerIdResponseData producer, String... topics) throws IOException {
        AddPartitionsToTxnTopicCollection wanted = new AddPartitionsToTxnTopicCollection();
        for (String topic : topics) {
            wanted.add(new AddPartitionsToTxnTopic().setName(topic).setPartitions(List.of(0)));
        }
        AddPartitionsToTxnTransaction one = new AddPartitionsToTxnTransaction()
                .setTransactionalId("x")
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setVerifyOnly(true)
                .setTopics(wanted);
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData()
                .setTransactions(
                        new AddPartitionsToTxnTransactionCollection(List.of(one).iterator()));
        AddPartitionsToTxnResponseData answer =
                (AddPartitionsToTxnResponseData) wire.ask(ApiKeys.ADD_PARTITIONS_TO_TXN, ADD_VERSION, request);
        List<Errors> results = new ArrayList<>();
        answer.resultsByTransaction()
                .forEach(transaction -> transaction
                        .topicResults()
                        .forEach(topic -> topic.resultsByPartition()
                                .forEach(partition -> results.add(Errors.forCode(partition.partitionErrorCode())))));
        return results;
    }

    @Test
    void theEndOfATransactionFencesItsEpochForAllBatches() throws Exception {
        InitProducerIdResponseData producer = init("x");
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);
        end(producer);

        assertThat(produce(null, idempotent(producer, 1))).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void markersOfOldCoordinatorsAndOldProducersAreRefused() throws Exception {
        InitProducerIdResponseData producer = init("x");
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);
        EndTxnResponseData next = end(producer);
        long id = next.producerId();
        short epoch = next.producerEpoch();

        assertThat(mark(id, epoch, -1, 0)).isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
        assertThat(mark(id, (short) (epoch - 1), 0, 0)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(mark(id, epoch, 0, 2)).as("repeated").isEqualTo(Errors.NONE);
        assertThat(mark(NEVER_SEEN, (short) 0, -1, 0)).isEqualTo(Errors.NONE);
    }

    @Test
    void aMarkerOfTheSecondProtocolNeedsAHigherEpoch() throws Exception {
        InitProducerIdResponseData producer = init("x");
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);
        long id = producer.producerId();
        short epoch = producer.producerEpoch();

        assertThat(mark(id, epoch, 0, 2)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(mark(id, (short) (epoch + 1), 0, 2)).isEqualTo(Errors.NONE);
    }

    @Test
    void producersAreDescribedUntilTheyExpire() throws Exception {
        InitProducerIdResponseData producer = init("x");
        assertThat(produce(transactional(producer, 0))).isEqualTo(Errors.NONE);
        ProducerState open = producers().get(0);
        assertThat(open.coordinatorEpoch()).isEmpty();
        assertThat(open.lastSequence()).isZero();
        assertThat(open.currentTransactionStartOffset()).hasValue(0);

        EndTxnResponseData next = end(producer);
        ProducerState over = producers().get(0);
        assertThat(over.coordinatorEpoch()).hasValue(0);
        assertThat(over.producerEpoch()).isEqualTo(next.producerEpoch());
        assertThat(over.lastSequence()).isEqualTo(-1);
        assertThat(over.currentTransactionStartOffset()).isEmpty();

        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(producers()).isEmpty());
    }

    private List<ProducerState> producers() throws Exception {
        return admin.describeProducers(List.of(PLACE))
                .partitionResult(PLACE)
                .get()
                .activeProducers();
    }

    @Test
    void aDurationFilterAlsoFindsIdsWithoutAnOpenTransaction() throws Exception {
        init("empty");
        InitProducerIdResponseData producer = init("ended");
        assertThat(produce("ended", transactional(producer, 0))).isEqualTo(Errors.NONE);
        end("ended", producer);

        assertThat(listed(-1)).containsExactlyInAnyOrder("empty", "ended");
        assertThat(listed(3_600_000)).containsExactly("empty");
        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(listed(10)).containsExactlyInAnyOrder("empty", "ended"));
        assertThat(admin.describeTransactions(List.of("ended"))
                        .description("ended")
                        .get()
                        .transactionStartTimeMs())
                .isPresent();
    }

    /** Each id once: the client asks all brokers, and the owner answers for each of them. */
    private List<String> listed(long millis) throws Exception {
        return admin.listTransactions(new ListTransactionsOptions().filterOnDuration(millis)).all().get().stream()
                .map(TransactionListing::transactionalId)
                .distinct()
                .toList();
    }

    @Test
    void recordsOfATopicThatIsOnlyCompactedAreNotDeleted() {
        TopicPartition table = new TopicPartition("table", 0);

        assertThatThrownBy(() -> admin.deleteRecords(Map.of(table, RecordsToDelete.beforeOffset(0)))
                        .all()
                        .get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PolicyViolationException.class);
    }

    // ---- requests ----

    private InitProducerIdResponseData init(String id) throws IOException {
        InitProducerIdRequestData request =
                new InitProducerIdRequestData().setTransactionalId(id).setTransactionTimeoutMs(60_000);
        InitProducerIdResponseData answer =
                (InitProducerIdResponseData) wire.ask(ApiKeys.INIT_PRODUCER_ID, INIT_VERSION, request);
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        return answer;
    }

    private static MemoryRecords transactional(InitProducerIdResponseData producer, int sequence) {
        return MemoryRecords.withTransactionalRecords(
                Compression.NONE, producer.producerId(), producer.producerEpoch(), sequence, RECORD);
    }

    private static MemoryRecords idempotent(InitProducerIdResponseData producer, int sequence) {
        return MemoryRecords.withIdempotentRecords(
                Compression.NONE, producer.producerId(), producer.producerEpoch(), sequence, RECORD);
    }

    private Errors produce(MemoryRecords batch) throws IOException {
        return produce("x", batch);
    }

    private Errors produce(@Nullable String transactionalId, MemoryRecords batch) throws IOException {
        TopicProduceData data = new TopicProduceData()
                .setName(PLACE.topic())
                .setPartitionData(List.of(new PartitionProduceData().setRecords(batch)));
        ProduceRequestData request = new ProduceRequestData()
                .setTransactionalId(transactionalId)
                .setAcks((short) -1)
                .setTopicData(new TopicProduceDataCollection(List.of(data).iterator()));
        ProduceResponseData answer = (ProduceResponseData) wire.ask(ApiKeys.PRODUCE, PRODUCE_VERSION, request);
        return Errors.forCode(
                answer.responses().iterator().next().partitionResponses().get(0).errorCode());
    }

    private EndTxnResponseData end(InitProducerIdResponseData producer) throws IOException {
        return end("x", producer);
    }

    private EndTxnResponseData end(String id, InitProducerIdResponseData producer) throws IOException {
        EndTxnRequestData request = new EndTxnRequestData()
                .setTransactionalId(id)
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setCommitted(true);
        EndTxnResponseData answer = (EndTxnResponseData) wire.ask(ApiKeys.END_TXN, END_VERSION, request);
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        return answer;
    }

    private Errors mark(long producerId, short epoch, int coordinatorEpoch, int transactionVersion) throws IOException {
        WritableTxnMarker marker = new WritableTxnMarker()
                .setProducerId(producerId)
                .setProducerEpoch(epoch)
                .setCoordinatorEpoch(coordinatorEpoch)
                .setTransactionVersion((byte) transactionVersion)
                .setTopics(List.of(new WritableTxnMarkerTopic()
                        .setName(PLACE.topic())
                        .setPartitionIndexes(List.of(PLACE.partition()))));
        WriteTxnMarkersResponseData answer = (WriteTxnMarkersResponseData) wire.ask(
                ApiKeys.WRITE_TXN_MARKERS,
                MARKERS_VERSION,
                new WriteTxnMarkersRequestData().setMarkers(List.of(marker)));
        return Errors.forCode(
                answer.markers().get(0).topics().get(0).partitions().get(0).errorCode());
    }
}

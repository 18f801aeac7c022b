package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.AddOffsetsToTxnRequest;
import io.rivulet.protocol.message.AddOffsetsToTxnResponse;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeTransactionsRequest;
import io.rivulet.protocol.message.DescribeTransactionsResponse;
import io.rivulet.protocol.message.DescribeTransactionsResponse.TransactionState;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition;
import io.rivulet.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.rivulet.protocol.message.TxnOffsetCommitResponse;
import io.rivulet.protocol.message.WriteTxnMarkersRequest;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.rivulet.protocol.message.WriteTxnMarkersResponse;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Producer ids and transactions, for a client with few rights. */
final class TransactionRightsTest {
    private static final short TOPIC_DENIED = ErrorCode.TOPIC_AUTHORIZATION_FAILED.code();
    private static final short GROUP_DENIED = ErrorCode.GROUP_AUTHORIZATION_FAILED.code();
    private static final short CLUSTER_DENIED = ErrorCode.CLUSTER_AUTHORIZATION_FAILED.code();
    private static final short ID_DENIED = ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.code();
    private static final int OF_CLIENTS = 3;

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private final TestRights rights = new TestRights();
    private InitProducerIdResponse producer = new InitProducerIdResponse();

    @BeforeEach
    void createTopicsAndAProducer() throws Exception {
        broker.createTopics("open", "secret");
        producer = init("t");
        assertThat(producer.errorCode()).isZero();
        broker.access(rights);
    }

    private InitProducerIdResponse init(@Nullable String id) throws Exception {
        return broker.ask(
                ApiKey.INIT_PRODUCER_ID,
                new InitProducerIdRequest().transactionalId(id).transactionTimeoutMs(10_000),
                InitProducerIdResponse::read);
    }

    @Test
    void anIdempotentProducerMayWriteSomeTopic() throws Exception {
        assertThat(init(null).errorCode()).isEqualTo(CLUSTER_DENIED);
        rights.topic(Operation.WRITE, "any");
        assertThat(init(null).errorCode()).isZero();
    }

    @Test
    void anIdempotentProducerMayWriteInTheCluster() throws Exception {
        rights.cluster(Operation.IDEMPOTENT_WRITE);
        assertThat(init(null).errorCode()).isZero();
    }

    @Test
    void aTransactionalProducerNeedsItsId() throws Exception {
        rights.topic(Operation.WRITE, "any");
        assertThat(init("t").errorCode()).isEqualTo(ID_DENIED);
        rights.transaction(Operation.WRITE, "t");
        assertThat(init("t").errorCode()).isZero();
    }

    private List<Short> addPartitions() throws Exception {
        AddPartitionsToTxnRequest request = new AddPartitionsToTxnRequest()
                .v3AndBelowTransactionalId("t")
                .v3AndBelowProducerId(producer.producerId())
                .v3AndBelowProducerEpoch(producer.producerEpoch())
                .v3AndBelowTopics(Stream.of("open", "secret")
                        .map(name -> new AddPartitionsToTxnTopic().name(name).partitions(new int[1]))
                        .toList());
        return broker
                .ask(ApiKey.ADD_PARTITIONS_TO_TXN, OF_CLIENTS, request, AddPartitionsToTxnResponse::read)
                .resultsByTopicV3AndBelow()
                .stream()
                .map(topic -> topic.resultsByPartition().get(0).partitionErrorCode())
                .toList();
    }

    @Test
    void allPartitionsAreAddedOrNone() throws Exception {
        assertThat(addPartitions()).containsExactly(ID_DENIED, ID_DENIED);
        rights.transaction(Operation.WRITE, "t").topic(Operation.WRITE, "open");
        assertThat(addPartitions()).containsExactly(ErrorCode.OPERATION_NOT_ATTEMPTED.code(), TOPIC_DENIED);
        rights.topic(Operation.WRITE, "secret");
        assertThat(addPartitions()).containsExactly((short) 0, (short) 0);
    }

    @Test
    void onlyBrokersAddPartitionsOfManyTransactions() throws Exception {
        AddPartitionsToTxnResponse response = broker.ask(
                ApiKey.ADD_PARTITIONS_TO_TXN, new AddPartitionsToTxnRequest(), AddPartitionsToTxnResponse::read);

        assertThat(response.errorCode()).isEqualTo(CLUSTER_DENIED);
    }

    @Test
    void offsetsOfAGroupNeedTheTransactionAndTheGroup() throws Exception {
        AddOffsetsToTxnRequest request = new AddOffsetsToTxnRequest()
                .transactionalId("t")
                .producerId(producer.producerId())
                .producerEpoch(producer.producerEpoch())
                .groupId("g");
        rights.group(Operation.READ, "g");
        assertThat(addOffsets(request)).isEqualTo(ID_DENIED);
        rights.transaction(Operation.WRITE, "t");
        assertThat(addOffsets(request)).isZero();
        assertThat(addOffsets(request.groupId("h"))).isEqualTo(GROUP_DENIED);
    }

    private short addOffsets(AddOffsetsToTxnRequest request) throws Exception {
        return broker.ask(ApiKey.ADD_OFFSETS_TO_TXN, OF_CLIENTS, request, AddOffsetsToTxnResponse::read)
                .errorCode();
    }

    @Test
    void anOffsetInATransactionNeedsItsTopicToo() throws Exception {
        assertThat(commit()).containsExactly(ID_DENIED, ID_DENIED);
        rights.transaction(Operation.WRITE, "t");
        assertThat(commit()).containsExactly(GROUP_DENIED, GROUP_DENIED);
        rights.group(Operation.READ, "g").topic(Operation.READ, "open");
        assertThat(commit()).containsExactly((short) 0, TOPIC_DENIED);
    }

    private List<Short> commit() throws Exception {
        TxnOffsetCommitRequest request = new TxnOffsetCommitRequest()
                .transactionalId("t")
                .groupId("g")
                .producerId(producer.producerId())
                .producerEpoch(producer.producerEpoch())
                .topics(Stream.of("open", "secret")
                        .map(name -> new TxnOffsetCommitRequestTopic()
                                .name(name)
                                .partitions(List.of(new TxnOffsetCommitRequestPartition().committedOffset(1))))
                        .toList());
        return broker.ask(ApiKey.TXN_OFFSET_COMMIT, 5, request, TxnOffsetCommitResponse::read).topics().stream()
                .map(topic -> topic.partitions().get(0).errorCode())
                .toList();
    }

    @Test
    void markersAreForBrokersAndAdministrators() throws Exception {
        assertThat(mark()).isEqualTo(CLUSTER_DENIED);
        rights.cluster(Operation.CLUSTER_ACTION);
        assertThat(mark()).isNotEqualTo(CLUSTER_DENIED);
    }

    private short mark() throws Exception {
        WriteTxnMarkersRequest request = new WriteTxnMarkersRequest()
                .markers(List.of(new WritableTxnMarker()
                        .producerId(producer.producerId())
                        .topics(List.of(new WritableTxnMarkerTopic()
                                .name("no-such-topic")
                                .partitionIndexes(new int[1])))));
        return broker.ask(ApiKey.WRITE_TXN_MARKERS, request, WriteTxnMarkersResponse::read)
                .markers()
                .get(0)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode();
    }

    @Test
    void transactionsThatMayNotBeDescribedAreHidden() throws Exception {
        assertThat(list()).isZero();
        assertThat(describe().errorCode()).isEqualTo(ID_DENIED);
        rights.transaction(Operation.DESCRIBE, "t");
        assertThat(list()).isEqualTo(1);
        assertThat(describe().errorCode()).isZero();
    }

    @Test
    void aTransactionIsDescribedWithoutTopicsThatAreHidden() throws Exception {
        broker.access(Access.UNLIMITED);
        assertThat(addPartitions()).containsOnly((short) 0);
        broker.access(rights.transaction(Operation.DESCRIBE, "t").topic(Operation.DESCRIBE, "open"));

        assertThat(describe().topics())
                .hasSize(1)
                .allMatch(topic -> topic.topic().equals("open"));
    }

    private int list() throws Exception {
        return broker.ask(ApiKey.LIST_TRANSACTIONS, new ListTransactionsRequest(), ListTransactionsResponse::read)
                .transactionStates()
                .size();
    }

    private TransactionState describe() throws Exception {
        return broker.ask(
                        ApiKey.DESCRIBE_TRANSACTIONS,
                        new DescribeTransactionsRequest().transactionalIds(List.of("t")),
                        DescribeTransactionsResponse::read)
                .transactionStates()
                .get(0);
    }
}

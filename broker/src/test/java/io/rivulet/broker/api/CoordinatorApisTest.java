package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.DescribeTransactionsRequest;
import io.rivulet.protocol.message.DescribeTransactionsResponse;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.FindCoordinatorResponse;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.HeartbeatResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.ListTransactionsRequest;
import io.rivulet.protocol.message.ListTransactionsResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests that the thread of groups and transactions handles. */
final class CoordinatorApisTest {
    @RegisterExtension
    final TestBroker broker = new TestBroker();

    @Test
    void groupsAndTransactionsAreCoordinatedHere() throws Exception {
        FindCoordinatorRequest request =
                new FindCoordinatorRequest().keyType((byte) 1).coordinatorKeys(List.of("a", "b", "a"));

        FindCoordinatorResponse response = broker.ask(ApiKey.FIND_COORDINATOR, request, FindCoordinatorResponse::read);

        assertThat(response.coordinators()).hasSize(2).allMatch(one -> one.nodeId() == TestBroker.NODE_ID);
    }

    @Test
    void otherKindsOfCoordinatorAreUnknown() throws Exception {
        FindCoordinatorRequest request =
                new FindCoordinatorRequest().keyType((byte) 9).key("a");

        FindCoordinatorResponse response =
                broker.ask(ApiKey.FIND_COORDINATOR, 3, request, FindCoordinatorResponse::read);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
    }

    @Test
    void aChangeIsAnswered() throws Exception {
        HeartbeatResponse response = broker.ask(
                ApiKey.HEARTBEAT, new HeartbeatRequest().groupId("g").memberId("m"), HeartbeatResponse::read);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void aQuestionIsAnswered() throws Exception {
        assertThat(broker.ask(ApiKey.LIST_GROUPS, new ListGroupsRequest(), ListGroupsResponse::read)
                        .groups())
                .isEmpty();
        assertThat(broker.ask(
                                ApiKey.DESCRIBE_GROUPS,
                                new DescribeGroupsRequest().groups(List.of("g")),
                                DescribeGroupsResponse::read)
                        .groups())
                .hasSize(1);
    }

    @Test
    void eachProducerGetsItsOwnId() throws Exception {
        InitProducerIdRequest idempotent = new InitProducerIdRequest().transactionalId(null);
        InitProducerIdResponse first = broker.ask(ApiKey.INIT_PRODUCER_ID, idempotent, InitProducerIdResponse::read);
        InitProducerIdResponse second = broker.ask(ApiKey.INIT_PRODUCER_ID, idempotent, InitProducerIdResponse::read);

        assertThat(first.errorCode()).isZero();
        assertThat(second.producerId()).isNotEqualTo(first.producerId());
    }

    @Test
    void aTransactionalIdIsListedAndDescribed() throws Exception {
        InitProducerIdRequest request =
                new InitProducerIdRequest().transactionalId("t").transactionTimeoutMs(10_000);
        InitProducerIdResponse producer = broker.ask(ApiKey.INIT_PRODUCER_ID, request, InitProducerIdResponse::read);
        assertThat(producer.errorCode()).isZero();

        EndTxnResponse ended = broker.ask(
                ApiKey.END_TXN,
                new EndTxnRequest()
                        .transactionalId("another")
                        .producerId(producer.producerId())
                        .committed(true),
                EndTxnResponse::read);
        assertThat(ended.errorCode()).isNotZero();

        assertThat(broker.ask(ApiKey.LIST_TRANSACTIONS, new ListTransactionsRequest(), ListTransactionsResponse::read)
                        .transactionStates())
                .hasSize(1);
        assertThat(broker.ask(
                                ApiKey.DESCRIBE_TRANSACTIONS,
                                new DescribeTransactionsRequest().transactionalIds(List.of("t", "u")),
                                DescribeTransactionsResponse::read)
                        .transactionStates())
                .extracting(DescribeTransactionsResponse.TransactionState::errorCode)
                .containsExactlyInAnyOrder(ErrorCode.NONE.code(), ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code());
    }
}

package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.txn.TxnCoordinator;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.wire.Message;
import io.rivulet.store.Store;

/**
 * Gives an idempotent producer its id. A producer that asks again gets a new id, as in Kafka. A producer with a
 * transactional id gets its id from the coordinator of transactions.
 *
 * @param transactional serves requests with a transactional id
 */
record InitProducerIdHandler(ProducerIds ids, Store store, Handler<InitProducerIdRequest> transactional)
        implements ChangeHandler<InitProducerIdRequest> {
    @Override
    public void handle(Call call, InitProducerIdRequest request) {
        if (request.transactionalId() != null) {
            transactional.handle(call, request);
            return;
        }
        ids.next(store)
                .whenComplete((id, failure) -> call.answer(
                        failure != null
                                ? TxnCoordinator.refused(
                                        ErrorMapper.refusal(failure).code())
                                : new InitProducerIdResponse().producerId(id).producerEpoch((short) 0)));
    }

    @Override
    public Message refuse(InitProducerIdRequest request, short version, ErrorCode error) {
        return TxnCoordinator.refused(error);
    }

    @Override
    public ErrorCode check(Access access, InitProducerIdRequest request, short version) {
        String id = request.transactionalId();
        if (id != null) {
            ErrorCode error = Permissions.transaction(access, Operation.WRITE, id);
            return error == ErrorCode.NONE && request.enable2Pc()
                    ? Permissions.transaction(access, Operation.TWO_PHASE_COMMIT, id)
                    : error;
        }
        return access.mayCluster(Operation.IDEMPOTENT_WRITE) || access.mayWithAny(Operation.WRITE, ResourceType.TOPIC)
                ? ErrorCode.NONE
                : ErrorCode.CLUSTER_AUTHORIZATION_FAILED;
    }
}

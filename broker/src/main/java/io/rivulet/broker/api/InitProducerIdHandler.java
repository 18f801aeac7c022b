package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.txn.TxnCoordinator;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.store.Store;

/**
 * Gives an idempotent producer its id. One that has an id and asks again, because it lost track, gets a new one, as from Kafka.
 * One with a transactional id gets its id from the coordinator of transactions.
 */
public final class InitProducerIdHandler {
    private final ProducerIds ids;
    private final Store store;
    private final TxnHandler transactions;

    public InitProducerIdHandler(ProducerIds ids, Store store, TxnHandler transactions) {
        this.transactions = transactions;
        this.ids = ids;
        this.store = store;
    }

    void handle(Call call, InitProducerIdRequest request) {
        if (request.transactionalId() != null) {
            transactions.handle(call);
            return;
        }
        ids.next(store)
                .whenComplete((id, failure) -> call.answer(
                        failure != null
                                ? TxnCoordinator.refused(
                                        ErrorMapper.refusal(failure).code())
                                : new InitProducerIdResponse().producerId(id).producerEpoch((short) 0)));
    }
}

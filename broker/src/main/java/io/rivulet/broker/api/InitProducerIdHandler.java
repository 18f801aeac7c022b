package io.rivulet.broker.api;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.store.Store;

/**
 * Gives an idempotent producer its id. One that has an id and asks again, because it lost track, gets a new one, as from Kafka.
 * Transactions are not served.
 */
public final class InitProducerIdHandler {
    private final ProducerIds ids;
    private final Store store;

    public InitProducerIdHandler(ProducerIds ids, Store store) {
        this.ids = ids;
        this.store = store;
    }

    void handle(Call call, InitProducerIdRequest request) {
        if (request.transactionalId() != null) {
            call.answer(refusal(ErrorCode.INVALID_REQUEST));
            return;
        }
        ids.next(store)
                .whenComplete((id, failure) -> call.answer(
                        failure != null
                                ? refusal(ErrorMapper.refusal(failure).code())
                                : new InitProducerIdResponse().producerId(id).producerEpoch((short) 0)));
    }

    private static InitProducerIdResponse refusal(ErrorCode code) {
        return new InitProducerIdResponse()
                .errorCode(code.code())
                .producerId(-1)
                .producerEpoch((short) -1);
    }
}

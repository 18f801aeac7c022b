package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.UnregisterBrokerRequest;
import io.rivulet.protocol.message.UnregisterBrokerResponse;
import io.rivulet.protocol.wire.Message;

/** Unregisters nothing: a broker is registered exactly while it is alive. */
record UnregisterBrokerHandler(ApiParts parts)
        implements Handler<UnregisterBrokerRequest>, Refusal<UnregisterBrokerRequest> {
    @Override
    public void handle(Call call, UnregisterBrokerRequest request) {
        UnregisterBrokerResponse response = new UnregisterBrokerResponse();
        if (parts.nodes().isAlive(request.brokerId())) {
            response.errorCode(ErrorCode.INVALID_REQUEST.code())
                    .errorMessage("broker " + request.brokerId() + " runs, so it is registered");
        } else {
            response.errorCode(ErrorCode.BROKER_ID_NOT_REGISTERED.code())
                    .errorMessage("broker " + request.brokerId() + " is not registered");
        }
        call.answer(response);
    }

    @Override
    public Message refuse(UnregisterBrokerRequest request, short version, ErrorCode error) {
        return new UnregisterBrokerResponse().errorCode(error.code());
    }
}

package io.rivulet.broker.api.token;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.ExpireDelegationTokenRequest;
import io.rivulet.protocol.message.ExpireDelegationTokenResponse;

/** Expires nothing: the client is not authenticated. */
final class ExpireDelegationTokenHandler implements Handler<ExpireDelegationTokenRequest> {
    @Override
    public void handle(Call call, ExpireDelegationTokenRequest request) {
        call.answer(new ExpireDelegationTokenResponse()
                .errorCode(TokenApis.NOT_ALLOWED)
                .expiryTimestampMs(TokenApis.NO_TIME));
    }
}

package io.rivulet.broker.api.token;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.ExpireDelegationTokenRequest;
import io.rivulet.protocol.message.ExpireDelegationTokenResponse;

/** Expires nothing: there are no tokens. */
final class ExpireDelegationTokenHandler implements Handler<ExpireDelegationTokenRequest> {
    @Override
    public void handle(Call call, ExpireDelegationTokenRequest request) {
        call.answer(new ExpireDelegationTokenResponse()
                .errorCode(TokenApis.error(call))
                .expiryTimestampMs(TokenApis.NO_TIME));
    }
}

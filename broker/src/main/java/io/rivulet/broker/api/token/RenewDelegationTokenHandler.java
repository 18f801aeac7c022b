package io.rivulet.broker.api.token;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.RenewDelegationTokenRequest;
import io.rivulet.protocol.message.RenewDelegationTokenResponse;

/** Renews nothing: there are no tokens. */
final class RenewDelegationTokenHandler implements Handler<RenewDelegationTokenRequest> {
    @Override
    public void handle(Call call, RenewDelegationTokenRequest request) {
        call.answer(new RenewDelegationTokenResponse()
                .errorCode(TokenApis.error(call))
                .expiryTimestampMs(TokenApis.NO_TIME));
    }
}

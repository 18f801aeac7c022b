package io.rivulet.broker.api.token;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.DescribeDelegationTokenRequest;
import io.rivulet.protocol.message.DescribeDelegationTokenResponse;

/** Describes nothing: there are no tokens. */
final class DescribeDelegationTokenHandler implements Handler<DescribeDelegationTokenRequest> {
    @Override
    public void handle(Call call, DescribeDelegationTokenRequest request) {
        call.answer(new DescribeDelegationTokenResponse().errorCode(TokenApis.error(call)));
    }
}

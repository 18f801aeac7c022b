package io.rivulet.broker.api.token;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.DescribeDelegationTokenRequest;
import io.rivulet.protocol.message.DescribeDelegationTokenResponse;

/** Describes nothing: the client is not authenticated. */
final class DescribeDelegationTokenHandler implements Handler<DescribeDelegationTokenRequest> {
    @Override
    public void handle(Call call, DescribeDelegationTokenRequest request) {
        call.answer(new DescribeDelegationTokenResponse().errorCode(TokenApis.NOT_ALLOWED));
    }
}

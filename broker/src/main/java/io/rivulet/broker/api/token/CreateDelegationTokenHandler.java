package io.rivulet.broker.api.token;

import io.rivulet.broker.access.Principal;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.CreateDelegationTokenRequest;
import io.rivulet.protocol.message.CreateDelegationTokenResponse;

/** Creates nothing: there are no tokens. */
final class CreateDelegationTokenHandler implements Handler<CreateDelegationTokenRequest> {
    private static final short REQUESTER_FROM_VERSION = 3;

    @Override
    public void handle(Call call, CreateDelegationTokenRequest request) {
        Principal client = call.access().principal();
        CreateDelegationTokenResponse response = new CreateDelegationTokenResponse()
                .errorCode(TokenApis.error(call))
                .principalType(client.type())
                .principalName(client.name())
                .issueTimestampMs(TokenApis.NO_TIME)
                .expiryTimestampMs(TokenApis.NO_TIME)
                .maxTimestampMs(TokenApis.NO_TIME);
        call.answer(
                call.version() < REQUESTER_FROM_VERSION
                        ? response
                        : response.tokenRequesterPrincipalType(client.type())
                                .tokenRequesterPrincipalName(client.name()));
    }
}

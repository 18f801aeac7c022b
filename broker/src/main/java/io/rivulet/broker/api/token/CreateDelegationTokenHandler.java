package io.rivulet.broker.api.token;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.protocol.message.CreateDelegationTokenRequest;
import io.rivulet.protocol.message.CreateDelegationTokenResponse;

/** Creates nothing: the client is not authenticated. */
final class CreateDelegationTokenHandler implements Handler<CreateDelegationTokenRequest> {
    private static final String TYPE = "User";
    private static final String ANONYMOUS = "ANONYMOUS";
    private static final short REQUESTER_FROM_VERSION = 3;

    @Override
    public void handle(Call call, CreateDelegationTokenRequest request) {
        CreateDelegationTokenResponse response = new CreateDelegationTokenResponse()
                .errorCode(TokenApis.NOT_ALLOWED)
                .principalType(TYPE)
                .principalName(ANONYMOUS)
                .issueTimestampMs(TokenApis.NO_TIME)
                .expiryTimestampMs(TokenApis.NO_TIME)
                .maxTimestampMs(TokenApis.NO_TIME);
        call.answer(
                call.version() < REQUESTER_FROM_VERSION
                        ? response
                        : response.tokenRequesterPrincipalType(TYPE).tokenRequesterPrincipalName(ANONYMOUS));
    }
}

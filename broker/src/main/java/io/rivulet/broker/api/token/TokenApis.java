package io.rivulet.broker.api.token;

import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of delegation tokens. */
public final class TokenApis {
    /** Kafka's error on a connection without authentication, whether tokens are enabled or not. */
    static final short NOT_ALLOWED = ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED.code();

    static final long NO_TIME = -1;

    private TokenApis() {}

    public static List<Route> routes() {
        return List.of(
                Route.of(ApiKey.CREATE_DELEGATION_TOKEN, new CreateDelegationTokenHandler()),
                Route.of(ApiKey.RENEW_DELEGATION_TOKEN, new RenewDelegationTokenHandler()),
                Route.of(ApiKey.EXPIRE_DELEGATION_TOKEN, new ExpireDelegationTokenHandler()),
                Route.of(ApiKey.DESCRIBE_DELEGATION_TOKEN, new DescribeDelegationTokenHandler()));
    }
}

package io.rivulet.broker.api.token;

import io.rivulet.broker.access.Principal;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of delegation tokens. */
public final class TokenApis {
    static final long NO_TIME = -1;

    private TokenApis() {}

    /** Kafka's error without authentication, whether tokens are enabled or not; else that they are disabled. */
    static short error(Call call) {
        ErrorCode error = call.access().principal().equals(Principal.ANONYMOUS)
                ? ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
                : ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED;
        return error.code();
    }

    public static List<Route> routes() {
        return List.of(
                Route.of(ApiKey.CREATE_DELEGATION_TOKEN, new CreateDelegationTokenHandler()),
                Route.of(ApiKey.RENEW_DELEGATION_TOKEN, new RenewDelegationTokenHandler()),
                Route.of(ApiKey.EXPIRE_DELEGATION_TOKEN, new ExpireDelegationTokenHandler()),
                Route.of(ApiKey.DESCRIBE_DELEGATION_TOKEN, new DescribeDelegationTokenHandler()));
    }
}

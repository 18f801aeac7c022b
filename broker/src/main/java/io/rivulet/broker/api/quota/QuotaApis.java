package io.rivulet.broker.api.quota;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Route;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of client quotas. */
public final class QuotaApis {
    private QuotaApis() {}

    public static List<Route> routes(ApiParts parts) {
        return List.of(
                Route.of(ApiKey.DESCRIBE_CLIENT_QUOTAS, new DescribeClientQuotasHandler(parts)),
                Route.of(ApiKey.ALTER_CLIENT_QUOTAS, new AlterClientQuotasHandler(parts)));
    }
}

package io.rivulet.broker.api.config;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Route;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of configs. */
public final class ConfigApis {
    private ConfigApis() {}

    public static List<Route> routes(ApiParts parts) {
        TopicConfigChanges changes = new TopicConfigChanges(parts.topics(), parts.admin());
        return List.of(
                Route.of(ApiKey.DESCRIBE_CONFIGS, new DescribeConfigsHandler(parts)),
                Route.of(ApiKey.ALTER_CONFIGS, new AlterConfigsHandler(changes)),
                Route.of(ApiKey.INCREMENTAL_ALTER_CONFIGS, new IncrementalAlterConfigsHandler(changes)));
    }
}

package io.rivulet.broker.api.config;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.dynamic.LogLevels;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of configs. */
public final class ConfigApis {
    private ConfigApis() {}

    public static List<Route> routes(ApiParts parts) {
        ConfigKinds kinds = ConfigKinds.of(parts);
        ConfigChanges changes = new ConfigChanges(kinds);
        Loggers loggers = new Loggers(parts.nodeId(), LogLevels.ofProcess());
        ListConfigResourcesHandler resources = new ListConfigResourcesHandler(parts);
        return List.of(
                Route.of(ApiKey.DESCRIBE_CONFIGS, new DescribeConfigsHandler(parts, kinds, loggers)),
                Route.of(ApiKey.ALTER_CONFIGS, new AlterConfigsHandler(changes)),
                Route.of(ApiKey.INCREMENTAL_ALTER_CONFIGS, new IncrementalAlterConfigsHandler(changes, loggers)),
                Route.of(ApiKey.LIST_CONFIG_RESOURCES, resources)
                        .permittedBy(Permissions.cluster(Operation.DESCRIBE_CONFIGS))
                        .refusedBy(resources));
    }
}

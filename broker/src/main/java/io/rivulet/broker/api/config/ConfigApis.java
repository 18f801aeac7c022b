package io.rivulet.broker.api.config;

import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of configs. */
public final class ConfigApis {
    private ConfigApis() {}

    public static List<Route> routes(
            BrokerIdentity identity,
            BrokerConfig config,
            TopicCatalogue topics,
            TopicAdmin admin,
            LongAnswers longAnswers) {
        return List.of(
                Route.of(ApiKey.DESCRIBE_CONFIGS, new DescribeConfigsHandler(identity, config, topics, longAnswers)),
                Route.of(ApiKey.ALTER_CONFIGS, new AlterConfigsHandler(topics, admin)),
                Route.of(ApiKey.INCREMENTAL_ALTER_CONFIGS, new IncrementalAlterConfigsHandler(topics, admin)));
    }
}

package io.rivulet.broker.api.topic;

import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of topics. */
public final class TopicApis {
    private TopicApis() {}

    public static List<Route> routes(
            BrokerIdentity identity,
            BrokerConfig config,
            TopicCatalogue topics,
            TopicAdmin admin,
            LongAnswers longAnswers) {
        int partitions = config.defaultPartitions();
        return List.of(
                Route.of(
                        ApiKey.METADATA,
                        new MetadataHandler(
                                identity, topics, admin, longAnswers, config.autoCreateTopics(), partitions)),
                Route.of(
                        ApiKey.CREATE_TOPICS,
                        new CreateTopicsHandler(identity, topics, admin, longAnswers, partitions)),
                Route.of(
                        ApiKey.DELETE_TOPICS,
                        new DeleteTopicsHandler(topics, admin, longAnswers, config.deleteTopics())),
                Route.of(ApiKey.CREATE_PARTITIONS, new CreatePartitionsHandler(identity, topics, admin)),
                Route.of(
                        ApiKey.DESCRIBE_TOPIC_PARTITIONS,
                        new DescribeTopicPartitionsHandler(identity, topics, longAnswers)),
                Route.of(ApiKey.LIST_PARTITION_REASSIGNMENTS, new ListPartitionReassignmentsHandler()));
    }
}

package io.rivulet.broker.api.topic;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.call.Route;
import io.rivulet.protocol.message.ApiKey;
import java.util.List;

/** The routes of topics. */
public final class TopicApis {
    private TopicApis() {}

    public static List<Route> routes(ApiParts parts) {
        ListPartitionReassignmentsHandler reassignments = new ListPartitionReassignmentsHandler();
        return List.of(
                Route.of(ApiKey.METADATA, new MetadataHandler(parts)),
                Route.of(ApiKey.CREATE_TOPICS, new CreateTopicsHandler(parts)),
                Route.of(ApiKey.DELETE_TOPICS, new DeleteTopicsHandler(parts)),
                Route.of(ApiKey.CREATE_PARTITIONS, new CreatePartitionsHandler(parts)),
                Route.of(ApiKey.DESCRIBE_TOPIC_PARTITIONS, new DescribeTopicPartitionsHandler(parts)),
                Route.of(ApiKey.LIST_PARTITION_REASSIGNMENTS, reassignments)
                        .permittedBy(Permissions.cluster(Operation.DESCRIBE))
                        .refusedBy(reassignments));
    }
}

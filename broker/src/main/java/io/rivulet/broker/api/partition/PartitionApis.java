package io.rivulet.broker.api.partition;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.txn.QueueHistories;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/** The routes of the contents of partitions, except Produce and Fetch. */
public final class PartitionApis {
    private PartitionApis() {}

    public static List<Route> routes(ApiParts parts, SequenceGate producers, QueueHistories histories) {
        DescribeLogDirsHandler logDirs = new DescribeLogDirsHandler(parts);
        return List.of(
                reading(parts, ApiKey.LIST_OFFSETS, new ListOffsetsHandler(parts, histories)),
                reading(parts, ApiKey.OFFSET_FOR_LEADER_EPOCH, new OffsetForLeaderEpochHandler(parts)),
                altering(ApiKey.ELECT_LEADERS, new ElectLeadersHandler(parts)),
                altering(ApiKey.ALTER_PARTITION_REASSIGNMENTS, new AlterPartitionReassignmentsHandler(parts)),
                altering(ApiKey.ALTER_REPLICA_LOG_DIRS, new AlterReplicaLogDirsHandler(parts)),
                reading(parts, ApiKey.DELETE_RECORDS, new DeleteRecordsHandler(parts.topics(), parts.store())),
                reading(parts, ApiKey.DESCRIBE_LOG_DIRS, logDirs)
                        .permittedBy(Permissions.cluster(Operation.DESCRIBE))
                        .refusedBy(logDirs),
                reading(parts, ApiKey.DESCRIBE_PRODUCERS, new DescribeProducersHandler(parts, producers, histories)));
    }

    private static <T extends Message, H extends Handler<T> & Refusal<T>> Route altering(ApiKey key, H handler) {
        return Route.of(key, handler)
                .permittedBy(Permissions.cluster(Operation.ALTER))
                .refusedBy(handler);
    }

    private static <T extends Message> Route reading(ApiParts parts, ApiKey key, Handler<T> handler) {
        return Route.of(key, new AcknowledgedFirst<>(parts, handler));
    }
}

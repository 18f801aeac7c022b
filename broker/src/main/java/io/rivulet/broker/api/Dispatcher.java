package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongRequests;
import io.rivulet.protocol.message.AlterConfigsRequest;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreatePartitionsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteRecordsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeLogDirsRequest;
import io.rivulet.protocol.message.DescribeProducersRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.ListOffsetsRequest;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.OffsetForLeaderEpochRequest;
import io.rivulet.protocol.message.ProduceRequest;

/** Takes each call to its handler. Immutable. */
public record Dispatcher(
        ApiVersionsHandler apiVersions,
        MetadataHandler metadata,
        ProduceHandler produce,
        FetchHandler fetch,
        ListOffsetsHandler listOffsets,
        OffsetForLeaderEpochHandler offsetForLeaderEpoch,
        InitProducerIdHandler initProducerId,
        CreateTopicsHandler createTopics,
        DeleteTopicsHandler deleteTopics,
        DescribeClusterHandler describeCluster,
        AlterConfigsHandler alterConfigs,
        CreatePartitionsHandler createPartitions,
        DeleteRecordsHandler deleteRecords,
        DescribeConfigsHandler describeConfigs,
        DescribeLogDirsHandler describeLogDirs,
        IncrementalAlterConfigsHandler incrementalAlterConfigs,
        DescribeTopicPartitionsHandler describeTopicPartitions,
        ListPartitionReassignmentsHandler listPartitionReassignments,
        FindCoordinatorHandler findCoordinator,
        GroupHandler groups,
        TxnHandler transactions,
        DescribeProducersHandler describeProducers,
        AclHandler acls,
        LongRequests longRequests) {
    /** @param call of an API that {@link ServedApis} has; anything else is a bug of the caller */
    public void dispatch(Call call) {
        if (call.body() == LongRequests.UNDECODED) {
            longRequests.decode(call, this::handle);
        } else {
            handle(call);
        }
    }

    private void handle(Call call) {
        switch (call.key()) {
            case API_VERSIONS -> apiVersions.handle(call, (ApiVersionsRequest) call.body());
            case METADATA -> metadata.handle(call, (MetadataRequest) call.body());
            case PRODUCE -> produce.handle(call, (ProduceRequest) call.body());
            case FETCH -> fetch.handle(call, (FetchRequest) call.body());
            case LIST_OFFSETS -> listOffsets.handle(call, (ListOffsetsRequest) call.body());
            case OFFSET_FOR_LEADER_EPOCH ->
                offsetForLeaderEpoch.handle(call, (OffsetForLeaderEpochRequest) call.body());
            case INIT_PRODUCER_ID -> initProducerId.handle(call, (InitProducerIdRequest) call.body());
            case CREATE_TOPICS -> createTopics.handle(call, (CreateTopicsRequest) call.body());
            case DELETE_TOPICS -> deleteTopics.handle(call, (DeleteTopicsRequest) call.body());
            case DESCRIBE_CLUSTER -> describeCluster.handle(call, (DescribeClusterRequest) call.body());
            case ALTER_CONFIGS -> alterConfigs.handle(call, (AlterConfigsRequest) call.body());
            case CREATE_PARTITIONS -> createPartitions.handle(call, (CreatePartitionsRequest) call.body());
            case DELETE_RECORDS -> deleteRecords.handle(call, (DeleteRecordsRequest) call.body());
            case DESCRIBE_LOG_DIRS -> describeLogDirs.handle(call, (DescribeLogDirsRequest) call.body());
            case DESCRIBE_CONFIGS -> describeConfigs.handle(call, (DescribeConfigsRequest) call.body());
            case INCREMENTAL_ALTER_CONFIGS ->
                incrementalAlterConfigs.handle(call, (IncrementalAlterConfigsRequest) call.body());
            case DESCRIBE_TOPIC_PARTITIONS ->
                describeTopicPartitions.handle(call, (DescribeTopicPartitionsRequest) call.body());
            case LIST_PARTITION_REASSIGNMENTS -> listPartitionReassignments.handle(call);
            case FIND_COORDINATOR -> findCoordinator.handle(call, (FindCoordinatorRequest) call.body());
            case JOIN_GROUP,
                    SYNC_GROUP,
                    HEARTBEAT,
                    LEAVE_GROUP,
                    DESCRIBE_GROUPS,
                    LIST_GROUPS,
                    DELETE_GROUPS,
                    OFFSET_COMMIT,
                    OFFSET_FETCH,
                    OFFSET_DELETE,
                    CONSUMER_GROUP_HEARTBEAT,
                    CONSUMER_GROUP_DESCRIBE -> groups.handle(call);
            case ADD_PARTITIONS_TO_TXN,
                    ADD_OFFSETS_TO_TXN,
                    TXN_OFFSET_COMMIT,
                    END_TXN,
                    WRITE_TXN_MARKERS,
                    LIST_TRANSACTIONS,
                    DESCRIBE_TRANSACTIONS -> transactions.handle(call);
            case DESCRIBE_PRODUCERS -> describeProducers.handle(call, (DescribeProducersRequest) call.body());
            case DESCRIBE_ACLS -> acls.describe(call);
            case CREATE_ACLS -> acls.create(call, (CreateAclsRequest) call.body());
            case DELETE_ACLS -> acls.delete(call, (DeleteAclsRequest) call.body());
            default -> throw new IllegalStateException(call.key() + " is not served");
        }
    }
}

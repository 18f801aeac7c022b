package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.node.Node;
import io.rivulet.broker.topic.TopicNames;
import io.rivulet.protocol.message.DescribeQuorumRequest;
import io.rivulet.protocol.message.DescribeQuorumResponse;
import io.rivulet.protocol.message.DescribeQuorumResponse.Listener;
import io.rivulet.protocol.message.DescribeQuorumResponse.PartitionData;
import io.rivulet.protocol.message.DescribeQuorumResponse.ReplicaState;
import io.rivulet.protocol.message.DescribeQuorumResponse.TopicData;
import io.rivulet.protocol.wire.Message;
import io.rivulet.store.StoreMetric;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes a quorum of one voter, this broker. Its metadata is in the commit log, so offsets are those of the log, in
 * bytes, and the leader's epoch is the epoch of the log. Other brokers of a cluster observe: they can open the log up
 * to where it is durable.
 */
record DescribeQuorumHandler(ApiParts parts) implements Handler<DescribeQuorumRequest>, Refusal<DescribeQuorumRequest> {
    private static final String LISTENER = "CONTROLLER";
    private static final short NODES_FROM_VERSION = 2;

    @Override
    public void handle(Call call, DescribeQuorumRequest request) {
        if (!isAboutTheMetadata(request)) {
            parts.longAnswers().answer(call, unknown(request), partitionCount(request));
            return;
        }
        List<Node> nodes = parts.nodes().reachableFrom(call.origin());
        DescribeQuorumResponse response = new DescribeQuorumResponse()
                .topics(List.of(
                        new TopicData().topicName(TopicNames.CLUSTER_METADATA).partitions(List.of(quorum(nodes)))));
        if (call.version() >= NODES_FROM_VERSION) {
            response.nodes(nodes.stream().map(DescribeQuorumHandler::node).toList());
        }
        call.answer(response);
    }

    @Override
    public Message refuse(DescribeQuorumRequest request, short version, ErrorCode error) {
        return new DescribeQuorumResponse().errorCode(error.code());
    }

    private static DescribeQuorumResponse.Node node(Node node) {
        return new DescribeQuorumResponse.Node()
                .nodeId(node.id())
                .listeners(
                        List.of(new Listener().name(LISTENER).host(node.host()).port(node.port())));
    }

    private static boolean isAboutTheMetadata(DescribeQuorumRequest request) {
        return request.topics().size() == 1
                && request.topics().get(0).topicName().equals(TopicNames.CLUSTER_METADATA)
                && request.topics().get(0).partitions().size() == 1
                && request.topics().get(0).partitions().get(0).partitionIndex() == 0;
    }

    private PartitionData quorum(List<Node> nodes) {
        long highWatermark = parts.store().metric(StoreMetric.LOG_DURABLE_END_BYTES);
        long endOffset = Math.max(highWatermark, parts.store().metric(StoreMetric.LOG_END_BYTES));
        long now = System.currentTimeMillis();
        return new PartitionData()
                .leaderId(parts.nodeId())
                .leaderEpoch((int) parts.store().metric(StoreMetric.LOG_EPOCH))
                .highWatermark(highWatermark)
                .currentVoters(List.of(new ReplicaState()
                        .replicaId(parts.nodeId())
                        .logEndOffset(endOffset)
                        .lastFetchTimestamp(now)
                        .lastCaughtUpTimestamp(now)))
                .observers(nodes.stream()
                        .filter(node -> node.id() != parts.nodeId())
                        .map(node -> new ReplicaState().replicaId(node.id()).logEndOffset(highWatermark))
                        .toList());
    }

    private static long partitionCount(DescribeQuorumRequest request) {
        return request.topics().stream()
                .mapToLong(topic -> topic.partitions().size())
                .sum();
    }

    private static DescribeQuorumResponse unknown(DescribeQuorumRequest request) {
        List<TopicData> topics = new ArrayList<>();
        for (DescribeQuorumRequest.TopicData topic : request.topics()) {
            topics.add(new TopicData()
                    .topicName(topic.topicName())
                    .partitions(topic.partitions().stream()
                            .map(partition -> new PartitionData()
                                    .partitionIndex(partition.partitionIndex())
                                    .errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()))
                            .toList()));
        }
        return new DescribeQuorumResponse().topics(topics);
    }
}

package io.rivulet.broker.share;

import io.rivulet.protocol.message.ShareAcknowledgeRequest;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.List;

/** The acknowledgements of a request for one partition. Immutable. */
record PartitionAcks(Uuid topicId, int partition, List<AckBatch> batches) {
    static List<PartitionAcks> of(ShareFetchRequest request) {
        List<PartitionAcks> all = new ArrayList<>();
        for (ShareFetchRequest.FetchTopic topic : request.topics()) {
            for (ShareFetchRequest.FetchPartition partition : topic.partitions()) {
                if (!partition.acknowledgementBatches().isEmpty()) {
                    all.add(new PartitionAcks(
                            topic.topicId(),
                            partition.partitionIndex(),
                            partition.acknowledgementBatches().stream()
                                    .map(batch -> new AckBatch(
                                            batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()))
                                    .toList()));
                }
            }
        }
        return all;
    }

    static List<PartitionAcks> of(ShareAcknowledgeRequest request) {
        List<PartitionAcks> all = new ArrayList<>();
        for (ShareAcknowledgeRequest.AcknowledgeTopic topic : request.topics()) {
            for (ShareAcknowledgeRequest.AcknowledgePartition partition : topic.partitions()) {
                all.add(new PartitionAcks(
                        topic.topicId(),
                        partition.partitionIndex(),
                        partition.acknowledgementBatches().stream()
                                .map(batch ->
                                        new AckBatch(batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()))
                                .toList()));
            }
        }
        return all;
    }
}

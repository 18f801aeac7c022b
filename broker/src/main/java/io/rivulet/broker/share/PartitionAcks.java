package io.rivulet.broker.share;

import io.rivulet.protocol.message.ShareAcknowledgeRequest;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.List;

/** The acknowledgements of a request for one partition. Immutable. */
record PartitionAcks(Uuid topicId, int partition, List<AckBatch> batches) {
    static List<PartitionAcks> of(ShareFetchRequest request) {
        ArrayList<PartitionAcks> all = new ArrayList<>();
        for (ShareFetchRequest.FetchTopic topic : request.topics()) {
            all.ensureCapacity(all.size() + topic.partitions().size());
            for (ShareFetchRequest.FetchPartition partition : topic.partitions()) {
                if (!partition.acknowledgementBatches().isEmpty()) {
                    List<AckBatch> batches =
                            new ArrayList<>(partition.acknowledgementBatches().size());
                    for (ShareFetchRequest.AcknowledgementBatch batch : partition.acknowledgementBatches()) {
                        batches.add(new AckBatch(batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()));
                    }
                    all.add(new PartitionAcks(topic.topicId(), partition.partitionIndex(), batches));
                }
            }
        }
        return all;
    }

    static List<PartitionAcks> of(ShareAcknowledgeRequest request) {
        ArrayList<PartitionAcks> all = new ArrayList<>();
        for (ShareAcknowledgeRequest.AcknowledgeTopic topic : request.topics()) {
            all.ensureCapacity(all.size() + topic.partitions().size());
            for (ShareAcknowledgeRequest.AcknowledgePartition partition : topic.partitions()) {
                List<AckBatch> batches =
                        new ArrayList<>(partition.acknowledgementBatches().size());
                for (ShareAcknowledgeRequest.AcknowledgementBatch batch : partition.acknowledgementBatches()) {
                    batches.add(new AckBatch(batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()));
                }
                all.add(new PartitionAcks(topic.topicId(), partition.partitionIndex(), batches));
            }
        }
        return all;
    }
}

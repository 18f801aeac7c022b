package io.rivulet.broker.share;

import io.rivulet.protocol.message.ShareAcknowledgeRequest;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.List;

/**
 * The acknowledgements of a request, partition by partition. Their batches are needed until the deliveries end; the
 * partitions are needed longer, for the answer, which waits for the log.
 *
 * <p>Owned by: the request.
 */
final class RequestAcks {
    private final List<Uuid> topicIds;
    private final int[] partitions;
    private List<List<AckBatch>> batches;

    private RequestAcks(int most) {
        topicIds = new ArrayList<>(most);
        partitions = new int[most];
        batches = new ArrayList<>(most);
    }

    static RequestAcks of(ShareFetchRequest request) {
        int most = 0;
        for (ShareFetchRequest.FetchTopic topic : request.topics()) {
            most += topic.partitions().size();
        }
        RequestAcks all = new RequestAcks(most);
        for (ShareFetchRequest.FetchTopic topic : request.topics()) {
            for (ShareFetchRequest.FetchPartition partition : topic.partitions()) {
                if (!partition.acknowledgementBatches().isEmpty()) {
                    List<AckBatch> some =
                            new ArrayList<>(partition.acknowledgementBatches().size());
                    for (ShareFetchRequest.AcknowledgementBatch batch : partition.acknowledgementBatches()) {
                        some.add(new AckBatch(batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()));
                    }
                    all.add(topic.topicId(), partition.partitionIndex(), some);
                }
            }
        }
        return all;
    }

    static RequestAcks of(ShareAcknowledgeRequest request) {
        int most = 0;
        for (ShareAcknowledgeRequest.AcknowledgeTopic topic : request.topics()) {
            most += topic.partitions().size();
        }
        RequestAcks all = new RequestAcks(most);
        for (ShareAcknowledgeRequest.AcknowledgeTopic topic : request.topics()) {
            for (ShareAcknowledgeRequest.AcknowledgePartition partition : topic.partitions()) {
                List<AckBatch> some =
                        new ArrayList<>(partition.acknowledgementBatches().size());
                for (ShareAcknowledgeRequest.AcknowledgementBatch batch : partition.acknowledgementBatches()) {
                    some.add(new AckBatch(batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()));
                }
                all.add(topic.topicId(), partition.partitionIndex(), some);
            }
        }
        return all;
    }

    private void add(Uuid topicId, int partition, List<AckBatch> some) {
        partitions[topicIds.size()] = partition;
        topicIds.add(topicId);
        batches.add(some);
    }

    boolean isEmpty() {
        return topicIds.isEmpty();
    }

    int size() {
        return topicIds.size();
    }

    Uuid topicId(int index) {
        return topicIds.get(index);
    }

    int partition(int index) {
        return partitions[index];
    }

    List<AckBatch> batches(int index) {
        return batches.get(index);
    }

    /** Their batches are not needed any more. */
    void begun() {
        batches = List.of();
    }
}

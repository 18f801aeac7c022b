package io.rivulet.broker.api.partition;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.txn.QueueHistories;
import io.rivulet.protocol.message.DescribeProducersRequest;
import io.rivulet.protocol.message.DescribeProducersRequest.TopicRequest;
import io.rivulet.protocol.message.DescribeProducersResponse;
import io.rivulet.protocol.message.DescribeProducersResponse.PartitionResponse;
import io.rivulet.protocol.message.DescribeProducersResponse.ProducerState;
import io.rivulet.protocol.message.DescribeProducersResponse.TopicResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Describes the producers of partitions and their open transactions. Visits all producers, on a read thread. */
record DescribeProducersHandler(ApiParts parts, SequenceGate producers, QueueHistories histories)
        implements Handler<DescribeProducersRequest> {
    /** The heap of one producer. All producers may have written to one partition. */
    private static final long HEAP_BYTES = 64;

    @Override
    public void handle(Call call, DescribeProducersRequest request) {
        parts.longAnswers()
                .make(call, producers.mostWriters() * HEAP_BYTES, reader -> describe(request, call.access()));
    }

    private DescribeProducersResponse describe(DescribeProducersRequest request, Access access) {
        Map<Integer, List<ProducerState>> wanted = new HashMap<>();
        List<TopicResponse> responses = new ArrayList<>();
        for (TopicRequest named : request.topics()) {
            boolean allowed = access.mayTopic(Operation.READ, named.name());
            Topic topic = parts.topics().find(named.name());
            List<PartitionResponse> partitions = new ArrayList<>();
            // A partition that is named twice is described once, because it may have many producers.
            for (int partition :
                    Arrays.stream(named.partitionIndexes()).distinct().toArray()) {
                int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
                PartitionResponse response = new PartitionResponse().partitionIndex(partition);
                partitions.add(response);
                if (!allowed) {
                    response.errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
                } else if (queueId == Topic.NO_QUEUE) {
                    response.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
                } else if (!wanted.containsKey(queueId)) {
                    List<ProducerState> producersOf = new ArrayList<>();
                    wanted.put(queueId, producersOf);
                    response.activeProducers(producersOf);
                }
            }
            responses.add(new TopicResponse().name(named.name()).partitions(partitions));
        }
        producers.forEach(one -> {
            List<ProducerState> of = wanted.get(one.queueId());
            if (of != null) {
                of.add(new ProducerState()
                        .producerId(one.producerId())
                        .producerEpoch(one.epoch())
                        .lastSequence(one.lastSequence())
                        .lastTimestamp(one.lastMillis())
                        .coordinatorEpoch(one.coordinatorEpoch())
                        .currentTxnStartOffset(histories.firstOffset(one.queueId(), one.producerId())));
            }
        });
        return new DescribeProducersResponse().topics(responses);
    }
}

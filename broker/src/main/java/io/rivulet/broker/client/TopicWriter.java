package io.rivulet.broker.client;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.wire.Records;
import java.util.List;

/** Produces batches of one topic. Owned by one thread. */
public record TopicWriter(BrokerConnection broker, String topic) {
    private static final int NAMES_UP_TO_VERSION = 12;
    private static final int TIMEOUT_MILLIS = 30_000;

    /** Returns when the batch is acknowledged with acks=all. The caller releases the batch. */
    public void append(int partition, ByteBuf batch) {
        ProduceResponse response = broker.ask(
                ApiKey.PRODUCE,
                NAMES_UP_TO_VERSION,
                new ProduceRequest()
                        .acks((short) -1)
                        .timeoutMs(TIMEOUT_MILLIS)
                        .topicData(List.of(new TopicProduceData()
                                .name(topic)
                                .partitionData(List.of(new PartitionProduceData()
                                        .index(partition)
                                        .records(Records.of(batch)))))),
                ProduceResponse.class);
        PartitionProduceResponse answer =
                response.responses().get(0).partitionResponses().get(0);
        ClientException.require(answer.errorCode(), answer.errorMessage(), "producing to " + topic + "-" + partition);
    }
}

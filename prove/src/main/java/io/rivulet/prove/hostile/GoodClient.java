package io.rivulet.prove.hostile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.ClientSettings;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Another client, which must be served all the time. Stateless. */
final class GoodClient {
    private static final String TOPIC = "of-the-good-client";
    private static final int NAMES_UP_TO_VERSION = 12;
    private static final int FETCH_BYTES = 1 << 20;

    private GoodClient() {}

    /** Returns null if a record could be written and read. */
    static @Nullable String complaint(int port) {
        try (BrokerConnection broker = BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN)) {
            broker.ask(
                    ApiKey.CREATE_TOPICS,
                    new CreateTopicsRequest()
                            .timeoutMs(10_000)
                            .topics(List.of(new CreateTopicsRequest.CreatableTopic()
                                    .name(TOPIC)
                                    .numPartitions(1)
                                    .replicationFactor((short) 1))),
                    CreateTopicsResponse.class);
            long offset = produce(broker);
            return fetch(broker, offset);
        } catch (ClientException e) {
            return "another client is not served: " + e.getMessage();
        }
    }

    private static long produce(BrokerConnection broker) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf batch = builder.append(System.currentTimeMillis(), new byte[] {1}, new byte[] {2})
                    .build();
            try {
                ProduceRequest request = new ProduceRequest()
                        .acks((short) -1)
                        .timeoutMs(10_000)
                        .topicData(List.of(new ProduceRequest.TopicProduceData()
                                .name(TOPIC)
                                .partitionData(List.of(
                                        new ProduceRequest.PartitionProduceData().records(Records.of(batch))))));
                ProduceResponse.PartitionProduceResponse answer = broker.ask(
                                ApiKey.PRODUCE, NAMES_UP_TO_VERSION, request, ProduceResponse.class)
                        .responses()
                        .get(0)
                        .partitionResponses()
                        .get(0);
                ClientException.require(answer.errorCode(), null, "a produce");
                return answer.baseOffset();
            } finally {
                batch.release();
            }
        }
    }

    private static @Nullable String fetch(BrokerConnection broker, long offset) {
        FetchRequest request = new FetchRequest()
                .maxBytes(FETCH_BYTES)
                .topics(List.of(new FetchRequest.FetchTopic()
                        .topic(TOPIC)
                        .partitions(List.of(new FetchRequest.FetchPartition()
                                .fetchOffset(offset)
                                .partitionMaxBytes(FETCH_BYTES)))));
        FetchResponse.PartitionData data = broker.ask(ApiKey.FETCH, NAMES_UP_TO_VERSION, request, FetchResponse.class)
                .responses()
                .get(0)
                .partitions()
                .get(0);
        ClientException.require(data.errorCode(), null, "a fetch");
        Records records = data.records();
        return records == null || records.sizeInBytes() == 0 ? "another client can't read its record" : null;
    }
}

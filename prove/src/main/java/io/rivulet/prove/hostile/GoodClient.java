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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Another client, which must be served all the time. Stateless. */
public final class GoodClient {
    private static final String TOPIC = "of-the-good-client";
    private static final int NAMES_UP_TO_VERSION = 12;
    private static final int FETCH_BYTES = 1 << 20;
    private static final int MOST_WAIT_MILLIS = 500;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private GoodClient() {}

    /** Returns null if a record could be written and read. */
    public static @Nullable String complaint(int port) {
        try (BrokerConnection broker = BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN)) {
            createTopic(broker);
            exchange(broker);
            return null;
        } catch (ClientException e) {
            return "another client is not served: " + e.getMessage();
        }
    }

    /** Before {@link #exchange}. */
    public static void createTopic(BrokerConnection broker) {
        createTopic(broker, TOPIC);
    }

    private static void createTopic(BrokerConnection broker, String topic) {
        broker.ask(
                ApiKey.CREATE_TOPICS,
                new CreateTopicsRequest()
                        .timeoutMs(10_000)
                        .topics(List.of(new CreateTopicsRequest.CreatableTopic()
                                .name(topic)
                                .numPartitions(1)
                                .replicationFactor((short) 1))),
                CreateTopicsResponse.class);
    }

    /**
     * Writes a record and reads it.
     *
     * @throws ClientException if that is not possible
     */
    public static void exchange(BrokerConnection broker) {
        fetch(broker, produce(broker, TOPIC, new byte[] {2}));
    }

    /** Writes records to a topic. */
    public static void fill(int port, String topic, int records, int bytes) {
        try (BrokerConnection broker = BrokerConnection.to("localhost:" + port, ClientSettings.PLAIN)) {
            createTopic(broker, topic);
            for (int i = 0; i < records; i++) {
                produce(broker, topic, new byte[bytes]);
            }
        }
    }

    private static long produce(BrokerConnection broker, String topic, byte[] value) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf batch = builder.append(System.currentTimeMillis(), new byte[] {1}, value)
                    .build();
            try {
                ProduceRequest request = new ProduceRequest()
                        .acks((short) -1)
                        .timeoutMs(10_000)
                        .topicData(List.of(new ProduceRequest.TopicProduceData()
                                .name(topic)
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

    /** An answer without records says that the broker has no memory for them now. */
    private static void fetch(BrokerConnection broker, long offset) {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!isFetched(broker, offset)) {
            if (System.nanoTime() - endNanos > 0) {
                throw new ClientException("it can't read its record");
            }
        }
    }

    private static boolean isFetched(BrokerConnection broker, long offset) {
        FetchRequest request = new FetchRequest()
                .maxWaitMs(MOST_WAIT_MILLIS)
                .minBytes(1)
                .maxBytes(FETCH_BYTES)
                .topics(List.of(new FetchRequest.FetchTopic()
                        .topic(TOPIC)
                        .partitions(List.of(new FetchRequest.FetchPartition()
                                .fetchOffset(offset)
                                .partitionMaxBytes(FETCH_BYTES)))));
        return broker.ask(ApiKey.FETCH, NAMES_UP_TO_VERSION, request, FetchResponse.class).responses().stream()
                .flatMap(topic -> topic.partitions().stream())
                .anyMatch(data -> {
                    ClientException.require(data.errorCode(), null, "a fetch");
                    Records records = data.records();
                    return records != null && records.sizeInBytes() > 0;
                });
    }
}

package io.rivulet.broker.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.TestBroker;
import io.rivulet.broker.node.Nodes;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topics that are deleted while a transaction is open in them. */
final class DeletedTopicTest {
    private static final int PARTITIONS = 900;
    private static final String ID = "id";
    /** Each of them has a fifth of the memory of transactions. */
    private static final int TOPICS = 10;

    @RegisterExtension
    final TestBroker broker =
            new TestBroker(Map.of("rivulet.transactions.bytes", String.valueOf(1 << 20)), Nodes::single);

    private long producerId;
    private short epoch;

    @Test
    void theirTransactionsLeaveNothing() throws Exception {
        InitProducerIdResponse producer = broker.ask(
                ApiKey.INIT_PRODUCER_ID,
                new InitProducerIdRequest().transactionalId(ID).transactionTimeoutMs(60_000),
                InitProducerIdResponse::read);
        producerId = producer.producerId();
        epoch = producer.producerEpoch();
        for (int i = 0; i < TOPICS; i++) {
            Uuid topic = create();
            assertThat(produce(topic)).as("topic %d", i).containsOnly((short) 0);
            delete(topic);
            broker.createTopics("behind-" + i); // in the log, it is behind the deletion of the partitions
            end();
        }
    }

    private Uuid create() throws Exception {
        CreatableTopic topic =
                new CreatableTopic().name("t").numPartitions(PARTITIONS).replicationFactor((short) 1);
        CreatableTopicResult created = broker.ask(
                        ApiKey.CREATE_TOPICS,
                        new CreateTopicsRequest().timeoutMs(1000).topics(List.of(topic)),
                        CreateTopicsResponse::read)
                .topics()
                .get(0);
        assertThat(created.errorCode()).isZero();
        return created.topicId();
    }

    private void delete(Uuid topic) throws Exception {
        DeleteTopicsRequest request =
                new DeleteTopicsRequest().timeoutMs(1000).topics(List.of(new DeleteTopicState().topicId(topic)));
        DeleteTopicsResponse answer = broker.ask(ApiKey.DELETE_TOPICS, request, DeleteTopicsResponse::read);
        assertThat(answer.responses().get(0).errorCode()).isZero();
    }

    /** Writes to each partition in the transaction. */
    private List<Short> produce(Uuid topic) throws Exception {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf built = builder.producer(producerId, epoch, 0)
                    .transactional()
                    .append(1, null, new byte[10])
                    .build();
            TopicProduceData data = new TopicProduceData()
                    .topicId(topic)
                    .partitionData(IntStream.range(0, PARTITIONS)
                            .mapToObj(index -> new PartitionProduceData()
                                    .index(index)
                                    .records(Records.of(built.retainedDuplicate())))
                            .toList());
            ProduceRequest request = new ProduceRequest()
                    .transactionalId(ID)
                    .acks((short) -1)
                    .timeoutMs(1000)
                    .topicData(List.of(data));
            ProduceResponse answer = broker.ask(ApiKey.PRODUCE, request, ProduceResponse::read);
            built.release(1 + PARTITIONS);
            return answer.responses().get(0).partitionResponses().stream()
                    .map(PartitionProduceResponse::errorCode)
                    .toList();
        }
    }

    private void end() throws Exception {
        EndTxnRequest request = new EndTxnRequest()
                .transactionalId(ID)
                .producerId(producerId)
                .producerEpoch(epoch)
                .committed(true);
        EndTxnResponse answer = broker.ask(ApiKey.END_TXN, request, EndTxnResponse::read);
        assertThat(answer.errorCode()).isZero();
        epoch = answer.producerEpoch();
    }
}

package io.rivulet.prove.churn;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteRecordsRequest;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import io.rivulet.protocol.message.DeleteRecordsResponse;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Records;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Producers, with transactions and without, that write once and never come back. Owned by: one thread.
 *
 * <p>The broker forgets them when they expire.
 */
final class ProducerChurn {
    static final String TOPIC = "of-producers";
    /** The broker's configuration: how long it remembers producers. */
    static final String EXPIRY_MILLIS = "2000";

    private static final int FIRST_PROTOCOL_INIT = 4;
    private static final int FIRST_PROTOCOL = 3;
    private static final int FIRST_PROTOCOL_PRODUCE = 11;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final long NO_PRODUCER = -1;
    private static final long ALL = -1;

    private final BrokerConnection broker;

    ProducerChurn(BrokerConnection broker) {
        this.broker = broker;
    }

    void plain(int count) {
        for (int i = 0; i < count; i++) {
            InitProducerIdResponse producer = init(null);
            produce(TOPIC, Writer.of(producer, null), 1);
        }
    }

    void transactions(List<String> ids) {
        ids.forEach(this::transaction);
    }

    /** A record for each topic. */
    void write(List<String> topics) {
        topics.forEach(topic -> produce(topic, Writer.ANY, 1));
    }

    private InitProducerIdResponse init(@Nullable String transactionalId) {
        InitProducerIdResponse answer = broker.ask(
                ApiKey.INIT_PRODUCER_ID,
                FIRST_PROTOCOL_INIT,
                new InitProducerIdRequest().transactionalId(transactionalId).transactionTimeoutMs(TIMEOUT_MILLIS),
                InitProducerIdResponse.class);
        ClientException.require(answer.errorCode(), null, "a producer id");
        return answer;
    }

    private void transaction(String id) {
        InitProducerIdResponse producer = init(id);
        broker.ask(
                ApiKey.ADD_PARTITIONS_TO_TXN,
                FIRST_PROTOCOL,
                new AddPartitionsToTxnRequest()
                        .v3AndBelowTransactionalId(id)
                        .v3AndBelowProducerId(producer.producerId())
                        .v3AndBelowProducerEpoch(producer.producerEpoch())
                        .v3AndBelowTopics(List.of(
                                new AddPartitionsToTxnTopic().name(TOPIC).partitions(new int[] {0}))),
                AddPartitionsToTxnResponse.class);
        produce(TOPIC, Writer.of(producer, id), 1);
        EndTxnResponse end = broker.ask(
                ApiKey.END_TXN,
                FIRST_PROTOCOL,
                new EndTxnRequest()
                        .transactionalId(id)
                        .producerId(producer.producerId())
                        .producerEpoch(producer.producerEpoch())
                        .committed(true),
                EndTxnResponse.class);
        ClientException.require(end.errorCode(), null, "the end of a transaction");
    }

    /** Deletes what was written so far, or it would grow. */
    void forgetRecords() {
        broker.ask(
                        ApiKey.DELETE_RECORDS,
                        new DeleteRecordsRequest()
                                .timeoutMs(TIMEOUT_MILLIS)
                                .topics(List.of(new DeleteRecordsTopic()
                                        .name(TOPIC)
                                        .partitions(List.of(new DeleteRecordsPartition().offset(ALL))))),
                        DeleteRecordsResponse.class)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(one -> ClientException.require(one.errorCode(), null, "delete records of " + TOPIC)));
    }

    /** Writes batches until there is enough, with one producer: at each batch the broker forgets some that expired. */
    void fill(String topic, int bytes, Enough enough) throws IOException {
        Writer writer = Writer.of(init(null), null);
        while (!enough.after(writer.sequence)) {
            produce(topic, writer, bytes);
            writer = writer.next();
        }
    }

    private void produce(String topic, Writer writer, int bytes) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            if (writer.producerId != NO_PRODUCER) {
                builder.producer(writer.producerId, writer.epoch, writer.sequence);
            }
            if (writer.transactionalId != null) {
                builder.transactional();
            }
            ByteBuf batch = builder.append(System.currentTimeMillis(), new byte[] {1}, new byte[bytes])
                    .build();
            try {
                ProduceRequest request = new ProduceRequest()
                        .transactionalId(writer.transactionalId)
                        .acks((short) -1)
                        .timeoutMs(TIMEOUT_MILLIS)
                        .topicData(List.of(new TopicProduceData()
                                .name(topic)
                                .partitionData(List.of(new PartitionProduceData().records(Records.of(batch))))));
                broker.ask(ApiKey.PRODUCE, FIRST_PROTOCOL_PRODUCE, request, ProduceResponse.class)
                        .responses()
                        .forEach(answer -> answer.partitionResponses()
                                .forEach(one -> ClientException.require(
                                        one.errorCode(), one.errorMessage(), "a produce to " + topic)));
            } finally {
                batch.release();
            }
        }
    }

    /** Whether so many batches are enough. */
    @FunctionalInterface
    interface Enough {
        boolean after(int batches) throws IOException;
    }

    /** Who writes a batch. Immutable. */
    private record Writer(
            long producerId,
            short epoch,
            int sequence,
            @Nullable String transactionalId) {
        static final Writer ANY = new Writer(NO_PRODUCER, (short) -1, 0, null);

        static Writer of(InitProducerIdResponse producer, @Nullable String transactionalId) {
            return new Writer(producer.producerId(), producer.producerEpoch(), 0, transactionalId);
        }

        Writer next() {
            return new Writer(producerId, epoch, sequence + 1, transactionalId);
        }
    }
}

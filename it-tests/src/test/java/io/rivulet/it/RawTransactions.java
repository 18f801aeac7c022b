package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Many producers with transactions of version 2 on one connection, each with one record in a transaction. */
final class RawTransactions implements AutoCloseable {
    private static final short INIT_VERSION = 5;
    private static final short PRODUCE_VERSION = 12;
    private static final short END_VERSION = 5;
    private static final short FETCH_VERSION = 12;
    private static final byte READ_COMMITTED = 1;

    private static final class Writer {
        private final String id;
        private long producerId;
        private short epoch;

        private Writer(String id) {
            this.id = id;
        }
    }

    private final Wire wire;
    private final List<Writer> writers;
    private int asked;
    private int answered;

    RawTransactions(int port, String name, int count) throws IOException {
        wire = new Wire(port);
        writers = IntStream.range(0, count).mapToObj(i -> new Writer(name + i)).toList();
        for (Writer writer : writers) {
            send(
                    ApiKeys.INIT_PRODUCER_ID,
                    INIT_VERSION,
                    new InitProducerIdRequestData()
                            .setTransactionalId(writer.id)
                            .setTransactionTimeoutMs(60_000));
        }
        for (Writer writer : writers) {
            InitProducerIdResponseData answer =
                    receive(ApiKeys.INIT_PRODUCER_ID, INIT_VERSION, InitProducerIdResponseData.class);
            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
            writer.producerId = answer.producerId();
            writer.epoch = answer.producerEpoch();
        }
    }

    /** Runs a transaction of each producer with a record in the topic. Returns the number of admitted transactions. */
    int round(String topic, String value, boolean commit) throws IOException {
        for (Writer writer : writers) {
            send(ApiKeys.PRODUCE, PRODUCE_VERSION, produce(writer, topic, value));
        }
        List<Writer> begun = new ArrayList<>();
        for (Writer writer : writers) {
            ProduceResponseData answer = receive(ApiKeys.PRODUCE, PRODUCE_VERSION, ProduceResponseData.class);
            Errors error = Errors.forCode(answer.responses()
                    .iterator()
                    .next()
                    .partitionResponses()
                    .get(0)
                    .errorCode());
            assertThat(error).isIn(Errors.NONE, Errors.POLICY_VIOLATION);
            if (error == Errors.NONE) {
                begun.add(writer);
            }
        }
        for (Writer writer : begun) {
            send(
                    ApiKeys.END_TXN,
                    END_VERSION,
                    new EndTxnRequestData()
                            .setTransactionalId(writer.id)
                            .setProducerId(writer.producerId)
                            .setProducerEpoch(writer.epoch)
                            .setCommitted(commit));
        }
        for (Writer writer : begun) {
            EndTxnResponseData answer = receive(ApiKeys.END_TXN, END_VERSION, EndTxnResponseData.class);
            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
            writer.producerId = answer.producerId();
            writer.epoch = answer.producerEpoch();
        }
        return begun.size();
    }

    private static ProduceRequestData produce(Writer writer, String topic, String value) {
        MemoryRecords records = MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                writer.producerId,
                writer.epoch,
                0,
                new SimpleRecord("key".getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8)));
        TopicProduceData data = new TopicProduceData()
                .setName(topic)
                .setPartitionData(List.of(new PartitionProduceData().setRecords(records)));
        return new ProduceRequestData()
                .setTransactionalId(writer.id)
                .setAcks((short) -1)
                .setTopicData(new TopicProduceDataCollection(List.of(data).iterator()));
    }

    /** Fetches from the start of the topic. Returns the number of aborted transactions in the response. */
    int listedAsAborted(String topic, int maxBytes) throws IOException {
        send(
                ApiKeys.FETCH,
                FETCH_VERSION,
                new FetchRequestData()
                        .setMaxBytes(maxBytes)
                        .setIsolationLevel(READ_COMMITTED)
                        .setTopics(List.of(new FetchRequestData.FetchTopic()
                                .setTopic(topic)
                                .setPartitions(List.of(
                                        new FetchRequestData.FetchPartition().setPartitionMaxBytes(maxBytes))))));
        FetchResponseData.PartitionData answer = receive(ApiKeys.FETCH, FETCH_VERSION, FetchResponseData.class)
                .responses()
                .get(0)
                .partitions()
                .get(0);
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        return answer.abortedTransactions().size();
    }

    private void send(ApiKeys key, short version, ApiMessage request) throws IOException {
        wire.send(key, version, request);
        asked++;
    }

    private <T extends ApiMessage> T receive(ApiKeys key, short version, Class<T> type) throws IOException {
        assertThat(answered).isLessThan(asked);
        return type.cast(wire.receive(key, version, ++answered));
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}

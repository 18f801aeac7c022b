package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches of one record, which the store keeps in the slim form. */
@SeveralBrokers
final class SlimBatchesIT {
    private static final String TOPIC = "singles";
    private static final TopicPartition PLACE = new TopicPartition(TOPIC, 0);
    private static final int COUNT = 300;
    private static final int TRANSACTION_EVERY = 50;

    @TempDir
    private Path directory;

    /** A sent message with its offset and timestamp. */
    private record Sent(Message message, long timestamp, boolean committed) {}

    @Test
    void recordsSentOneByOneAreReturnedUnchangedInFewBatches() throws Exception {
        List<Sent> sent;
        try (TestBroker broker = TestBroker.start(directory)) {
            sent = sendAmongTransactions(broker.bootstrapServers());
            requireAll(broker, sent);
        }
        try (TestBroker broker = TestBroker.start(directory)) {
            requireAll(broker, sent);
        }
    }

    /** Sends each message in its own batch, with some transactions between, every second of which is aborted. */
    private static List<Sent> sendAmongTransactions(String servers) throws Exception {
        List<Sent> sent = new ArrayList<>();
        long next = 0;
        try (KafkaProducer<byte[], byte[]> plain = producer(Map.of("bootstrap.servers", servers, "batch.size", 0));
                KafkaProducer<byte[], byte[]> transactional =
                        producer(Map.of("bootstrap.servers", servers, "transactional.id", "every-now-and-then"))) {
            transactional.initTransactions();
            List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
            for (Message message : Message.some(COUNT)) {
                int i = (int) message.offset();
                long timestamp = 1_700_000_000_000L + (long) i * 7_919 % 100_000;
                boolean inTransaction = i % TRANSACTION_EVERY == 7;
                boolean commit = i / TRANSACTION_EVERY % 2 == 0;
                if (inTransaction) {
                    for (Future<RecordMetadata> acknowledgement : acknowledgements) {
                        acknowledgement.get();
                    }
                    transactional.beginTransaction();
                    transactional.send(record(message, timestamp)).get();
                    if (commit) {
                        transactional.commitTransaction();
                    } else {
                        transactional.abortTransaction();
                    }
                } else {
                    acknowledgements.add(plain.send(record(message, timestamp)));
                }
                sent.add(new Sent(message.at(next), timestamp, !inTransaction || commit));
                next += inTransaction ? 2 : 1;
            }
        }
        return sent;
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ProducerRecord<byte[], byte[]> record(Message message, long timestamp) {
        ProducerRecord<byte[], byte[]> untimed = message.toPartition(TOPIC, 0);
        return new ProducerRecord<>(TOPIC, 0, timestamp, untimed.key(), untimed.value(), untimed.headers());
    }

    private static void requireAll(TestBroker broker, List<Sent> sent) throws IOException {
        List<Sent> committed = sent.stream().filter(Sent::committed).toList();
        assertThat(read(broker, "read_uncommitted", sent.size())).containsExactlyElementsOf(timed(sent));
        assertThat(read(broker, "read_committed", committed.size())).containsExactlyElementsOf(timed(committed));

        List<RecordBatch> batches = batches(broker);
        assertThat(batches).hasSizeLessThan(COUNT / 3);
        batches.forEach(RecordBatch::ensureValid);
        assertThat(batches).anyMatch(batch -> batch.countOrNull() > 10);
    }

    private static List<String> timed(List<Sent> sent) {
        return sent.stream().map(one -> one.timestamp + " " + one.message).toList();
    }

    private static List<String> read(TestBroker broker, String isolation, int count) {
        List<String> read = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", isolation),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(PLACE));
            consumer.seekToBeginning(List.of(PLACE));
            long end = consumer.endOffsets(List.of(PLACE)).getOrDefault(PLACE, 0L);
            long deadlineNanos = System.nanoTime() + Clients.PATIENCE.toNanos();
            while (consumer.position(PLACE) < end && System.nanoTime() < deadlineNanos) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    read.add(record.timestamp() + " " + Message.of(record));
                }
            }
        }
        assertThat(read).hasSize(count);
        return read;
    }

    private static List<RecordBatch> batches(TestBroker broker) throws IOException {
        try (Wire wire = new Wire(broker)) {
            return wire.batches(TOPIC);
        }
    }

    @Test
    void sequencesAreKnownAfterAKill() throws Exception {
        try (BrokerProcesses brokers = BrokerProcesses.start(directory)) {
            try (Admin admin = Clients.admin(brokers.servers())) {
                admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1)))
                        .all()
                        .get();
            }
            InitProducerIdResponseData producer;
            try (Wire wire = new Wire(brokers.port())) {
                producer = (InitProducerIdResponseData) wire.ask(
                        ApiKeys.INIT_PRODUCER_ID,
                        (short) 4,
                        new InitProducerIdRequestData().setTransactionalId(null).setTransactionTimeoutMs(60_000));
                for (int sequence = 0; sequence < 5; sequence++) {
                    assertThat(produce(wire, producer, sequence).baseOffset()).isEqualTo(sequence);
                }
            }
            brokers.kill();
            brokers.startAgain();

            try (Wire wire = new Wire(brokers.port())) {
                PartitionProduceResponse again = produce(wire, producer, 3);
                assertThat(Errors.forCode(again.errorCode())).isEqualTo(Errors.NONE);
                assertThat(again.baseOffset()).isEqualTo(3);
                PartitionProduceResponse tooFar = produce(wire, producer, 6);
                assertThat(Errors.forCode(tooFar.errorCode())).isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
                assertThat(tooFar.errorMessage()).contains("sequence 6 of producer " + producer.producerId());
                assertThat(produce(wire, producer, 5).baseOffset()).isEqualTo(5);
            }
        }
    }

    private static PartitionProduceResponse produce(Wire wire, InitProducerIdResponseData producer, int sequence)
            throws IOException {
        MemoryRecords records = MemoryRecords.withIdempotentRecords(
                Compression.NONE,
                producer.producerId(),
                producer.producerEpoch(),
                sequence,
                new SimpleRecord(("value " + sequence).getBytes(StandardCharsets.UTF_8)));
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTopicData(new TopicProduceDataCollection(List.of(new TopicProduceData()
                                .setName(TOPIC)
                                .setPartitionData(List.of(
                                        new PartitionProduceData().setIndex(0).setRecords(records))))
                        .iterator()));
        ProduceResponseData answer = (ProduceResponseData) wire.ask(ApiKeys.PRODUCE, (short) 9, request);
        return answer.responses().iterator().next().partitionResponses().get(0);
    }
}

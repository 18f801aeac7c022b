package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many invented producer ids, beside a good producer. */
final class ProducerStateIT {
    private static final int PARTITIONS = 10_000;
    /** Each has a batch of a new producer for each partition: 1.2 million rows, which would need the whole heap. */
    private static final int REQUESTS = 120;

    private static final long FIRST_ID = 1L << 40;
    private static final short PRODUCE_VERSION = 9;
    private static final int CRC_AT = 17;
    private static final int CRC_COVERS_FROM = 21;
    private static final int PRODUCER_ID_AT = 43;

    @TempDir
    private Path directory;

    @Test
    void inventedProducerIdsStayWithinTheirBudgetAndStopNoOtherProducer() throws Exception {
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            Unharmed unharmed = Unharmed.before(server, port);
            try (KafkaProducer<String, String> good = Clients.producer("localhost:" + port, Map.of())) {
                send(good, "before");
                flood(port);
                send(good, "after");
            }
            unharmed.assertStill();
            server.kill();
        }
        try (ServerProcess server = start()) {
            int port = server.awaitReady();
            try (KafkaProducer<String, String> good = Clients.producer("localhost:" + port, Map.of())) {
                send(good, "later");
            }
            assertThat(values(port)).containsExactly("before", "after", "later");
        }
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.in(directory)
                .java("-Xmx128m")
                .start(
                        "--override=listeners=PLAINTEXT://localhost:0",
                        "--override=rivulet.create.topics=flood:" + PARTITIONS + ",good:1");
    }

    private static void send(KafkaProducer<String, String> producer, String value) throws Exception {
        producer.send(new ProducerRecord<>("good", 0, null, value)).get();
    }

    private static List<String> values(int port) {
        TopicPartition partition = new TopicPartition("good", 0);
        try (KafkaConsumer<String, String> consumer = Clients.consumer("localhost:" + port, Map.of())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            return Clients.poll(consumer, 3).stream().map(ConsumerRecord::value).toList();
        }
    }

    private static void flood(int port) throws Exception {
        List<ByteBuffer> batches = new ArrayList<>();
        List<PartitionProduceData> data = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            MemoryRecords records = MemoryRecords.withIdempotentRecords(
                    Compression.NONE, FIRST_ID, (short) 0, 0, new SimpleRecord("v".getBytes(StandardCharsets.UTF_8)));
            batches.add(records.buffer());
            data.add(new PartitionProduceData().setIndex(partition).setRecords(records));
        }
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(10_000)
                .setTopicData(new TopicProduceDataCollection(
                        List.of(new TopicProduceData().setName("flood").setPartitionData(data))
                                .iterator()));
        try (Wire wire = new Wire(port)) {
            long producerId = FIRST_ID;
            for (int i = 0; i < REQUESTS; i++) {
                for (ByteBuffer batch : batches) {
                    rename(batch, producerId++);
                }
                ProduceResponseData answer = (ProduceResponseData) wire.ask(ApiKeys.PRODUCE, PRODUCE_VERSION, request);
                assertThat(answer.responses().iterator().next().partitionResponses())
                        .as("request %d", i)
                        .allSatisfy(part ->
                                assertThat(Errors.forCode(part.errorCode())).isEqualTo(Errors.NONE));
            }
        }
    }

    private static void rename(ByteBuffer batch, long producerId) {
        batch.putLong(PRODUCER_ID_AT, producerId);
        CRC32C crc = new CRC32C();
        crc.update(batch.array(), batch.arrayOffset() + CRC_COVERS_FROM, batch.limit() - CRC_COVERS_FROM);
        batch.putInt(CRC_AT, (int) crc.getValue());
    }
}

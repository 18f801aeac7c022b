package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that send invalid data, and clients that are slow. */
final class HostileIT {
    private static final short VERSION = 9;
    private static final int CRC_AT = 17;
    private static final int ATTRIBUTES_AT = 21;
    private static final int MAGIC_AT = 16;
    private static final int MAX_TIMESTAMP_AT = 35;
    private static final int COUNT_AT = 57;
    private static final int RECORDS_AT = 61;

    @RegisterExtension
    static final UnharmedBroker attacked = new UnharmedBroker();

    @BeforeEach
    void createTopic() throws Exception {
        try (Admin admin = Clients.admin(attacked.broker())) {
            admin.createTopics(List.of(new NewTopic("there", 4, (short) 1)))
                    .all()
                    .get();
        }
    }

    @Test
    void eachBadBatchGetsItsErrorAndTheGoodOneIsStored() throws Exception {
        try (Wire wire = new Wire(attacked.broker())) {
            ProduceRequestData request = produce(
                    (short) -1,
                    batch(bytes -> bytes.put(CRC_AT, (byte) ~bytes.get(CRC_AT))),
                    batch(bytes -> {}),
                    batch(bytes -> bytes.put(MAGIC_AT, (byte) 1)),
                    batch(bytes -> {
                        bytes.putInt(COUNT_AT, 1000);
                        reseal(bytes);
                    }));

            List<PartitionProduceResponse> answers = answers(wire, request);

            assertThat(answers)
                    .extracting(answer -> Errors.forCode(answer.errorCode()))
                    .containsExactly(Errors.CORRUPT_MESSAGE, Errors.NONE, Errors.INVALID_RECORD, Errors.INVALID_RECORD);
            assertThat(answers.get(1).baseOffset()).isZero();
        }
    }

    /** A consumer stops forever at a record that it can't read, so the broker must accept none, compressed or not. */
    @Test
    void consumersReadAllAcknowledgedRecordsWithAnyDamagedByte() throws Exception {
        int acknowledged = 0;
        try (Wire wire = new Wire(attacked.broker())) {
            int bytes = batch(unchanged -> {}).remaining();
            for (int at = RECORDS_AT; at < bytes; at++) {
                for (byte wrong : new byte[] {0, 1, 2, 0x7f, (byte) 0x80, (byte) 0xff}) {
                    int changedAt = at;
                    ProduceRequestData request = produce((short) -1, batch(batch -> {
                        batch.put(changedAt, wrong);
                        reseal(batch);
                    }));
                    Errors answer = Errors.forCode(answers(wire, request).get(0).errorCode());
                    assertThat(answer).isIn(Errors.NONE, Errors.INVALID_RECORD, Errors.INVALID_TIMESTAMP);
                    acknowledged += answer == Errors.NONE ? 1 : 0;
                }
            }
        }
        assertThat(Clients.read(attacked.broker(), new TopicPartition("there", 0), acknowledged, Map.of()))
                .hasSize(acknowledged);
    }

    /** Retention and searches by time use it. */
    @Test
    void aWrongMaxTimestampIsCorrected() throws Exception {
        try (Wire wire = new Wire(attacked.broker())) {
            ByteBuffer wrong = batch(bytes -> {
                bytes.putLong(MAX_TIMESTAMP_AT, System.currentTimeMillis() + 1_000_000);
                reseal(bytes);
            });
            assertThat(answers(wire, produce((short) -1, wrong)))
                    .extracting(answer -> Errors.forCode(answer.errorCode()))
                    .containsExactly(Errors.NONE);

            assertThat(wire.batches("there"))
                    .singleElement()
                    .satisfies(batch -> assertThat(batch.maxTimestamp())
                            .isEqualTo(batch.iterator().next().timestamp()));
        }
    }

    @Test
    void batchesThatOnlyTheBrokerWritesAreRefused() throws Exception {
        try (Wire wire = new Wire(attacked.broker())) {
            ProduceRequestData request = produce((short) -1, batch(bytes -> {
                bytes.put(ATTRIBUTES_AT + 1, (byte) 0x20); // a control batch
                reseal(bytes);
            }));

            assertThat(Errors.forCode(answers(wire, request).get(0).errorCode()))
                    .isEqualTo(Errors.INVALID_RECORD);
        }
    }

    @Test
    void unknownPartitionsAndInvalidAcksGetTheirErrors() throws Exception {
        try (Wire wire = new Wire(attacked.broker())) {
            assertThat(answers(wire, produce((short) 2, batch(bytes -> {}))))
                    .extracting(answer -> Errors.forCode(answer.errorCode()))
                    .containsExactly(Errors.INVALID_REQUIRED_ACKS);
            ByteBuffer good = batch(bytes -> {});
            assertThat(answers(wire, produce((short) 1, good, good, good, good, good)))
                    .extracting(answer -> Errors.forCode(answer.errorCode()))
                    .last()
                    .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        }
    }

    @Test
    void aBadBatchWithoutAcknowledgementClosesTheConnection() throws Exception {
        try (Wire wire = new Wire(attacked.broker())) {
            wire.send(
                    ApiKeys.PRODUCE,
                    VERSION,
                    produce((short) 0, batch(bytes -> bytes.put(CRC_AT, (byte) ~bytes.get(CRC_AT)))));

            assertThat(wire.isClosedByBroker()).isTrue();
        }
        assertServes();
    }

    @Test
    void responsesKeepTheOrderOfRequestsWhileAFetchWaits() throws Exception {
        try (Wire wire = new Wire(attacked.broker())) {
            FetchRequestData patient = new FetchRequestData()
                    .setMinBytes(1)
                    .setMaxWaitMs(300)
                    .setMaxBytes(1000)
                    .setSessionEpoch(-1)
                    .setTopics(List.of(new FetchRequestData.FetchTopic()
                            .setTopic("there")
                            .setPartitions(List.of(new FetchRequestData.FetchPartition().setPartitionMaxBytes(1000)))));
            wire.send(ApiKeys.FETCH, (short) 12, patient);
            wire.send(ApiKeys.METADATA, (short) 9, ApiKeys.METADATA.messageType.newRequest());

            wire.receive(ApiKeys.FETCH, (short) 12, 1);
            wire.receive(ApiKeys.METADATA, (short) 9, 2);
        }
    }

    /** librdkafka 2.16 requests all topics with such a frame: it writes null in four bytes instead of one. */
    @Test
    void bytesAfterARequestInItsFrameAreIgnored() throws Exception {
        ByteBuffer frame = ByteBuffer.allocate(64);
        frame.putInt(0);
        frame.putShort(ApiKeys.METADATA.id).putShort((short) 13).putInt(1);
        frame.putShort((short) 2).put(new byte[] {'i', 't'}).put((byte) 0);
        frame.putInt(0).put(new byte[] {1, 0, 0});
        frame.putInt(0, frame.position() - Integer.BYTES);

        try (Wire wire = new Wire(attacked.broker())) {
            wire.send(frame.flip());

            MetadataResponseData response = (MetadataResponseData) wire.receive(ApiKeys.METADATA, (short) 13, 1);
            assertThat(response.topics()).extracting(topic -> topic.name()).containsExactly("there");
        }
    }

    @Test
    void randomBytesAndIncompleteRequestsDisturbNoOtherClient() throws Exception {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            try (Wire wire = new Wire(attacked.broker())) {
                byte[] bytes = new byte[12 + random.nextInt(300)];
                random.nextBytes(bytes);
                if (i % 2 == 0) {
                    // a valid header, followed by random bytes
                    ByteBuffer.wrap(bytes)
                            .putInt(bytes.length - 4 + random.nextInt(2))
                            .putShort((short) random.nextInt(80))
                            .putShort((short) random.nextInt(14));
                }
                wire.send(ByteBuffer.wrap(bytes));
            }
        }

        assertServes();
    }

    @Test
    void aClientThatReadsNothingIsServedUpToALimit() throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(attacked.broker(), Map.of())) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>("there", 0, null, "x".repeat(500_000))));
        }
        long before = usedDirectMemory();
        List<Wire> slow = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Wire wire = new Wire(attacked.broker());
            slow.add(wire);
            for (int request = 0; request < 100; request++) {
                wire.send(ApiKeys.FETCH, (short) 12, fetchAll());
            }
        }
        assertServes();

        // a thousand responses of half a megabyte were requested
        assertThat(usedDirectMemory() - before).isLessThan(100 << 20);
        for (Wire wire : slow) {
            wire.close();
        }
    }

    @Test
    void clientsThatDoNotReadLeaveMemoryForOthers() throws Exception {
        long limit = 4 << 20;
        attacked.restart(
                Map.of("rivulet.response.bytes", String.valueOf(limit), "rivulet.response.patience.ms", "300"));
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            records.add(new ProducerRecord<>("there", 0, null, "x".repeat(500_000)));
        }
        try (KafkaProducer<String, String> producer = Clients.producer(attacked.broker(), Map.of())) {
            Clients.sendAll(producer, records);
        }
        long before = usedDirectMemory();
        List<Wire> slow = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Wire wire = new Wire(attacked.broker());
            slow.add(wire);
            for (int request = 0; request < 10; request++) {
                wire.send(ApiKeys.FETCH, (short) 12, fetchAll());
            }
        }

        assertThat(Clients.read(attacked.broker(), new TopicPartition("there", 0), 20, Map.of()))
                .hasSize(20);

        // Four hundred responses of ten megabytes were requested. Each fetch may exceed its share by a batch.
        assertThat(usedDirectMemory() - before).isLessThan(limit + 40 * 600_000L);
        for (Wire wire : slow) {
            wire.close();
        }
    }

    @Test
    void tenThousandIdleConnectionsCostLittleMemoryAndNoOtherClient() throws Exception {
        UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        // both ends are in this process
        long possible = (system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - 500) / 2;
        int count = (int) Math.min(10_000, possible);
        assertServes();
        long directBefore = usedDirectMemory();
        long heapBefore = usedHeap();
        int port = attacked.broker().addresses().get(0).getPort();
        try (Sockets idle = new Sockets(port).open(count)) {
            assertServes();

            assertThat(idle.closedByBroker()).isZero();
            long bytes = usedHeap() - heapBefore + usedDirectMemory() - directBefore;
            assertThat(bytes / count)
                    .as("bytes for each of %d connections", count)
                    .isLessThan(8 << 10);
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void assertServes() throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(attacked.broker(), Map.of())) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>("there", 3, "k", "v")));
        }
    }

    private static long usedDirectMemory() {
        return PlatformDependent.usedDirectMemory();
    }

    private static FetchRequestData fetchAll() {
        return new FetchRequestData()
                .setMinBytes(1)
                .setMaxBytes(10 << 20)
                .setSessionEpoch(-1)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic("there")
                        .setPartitions(List.of(new FetchRequestData.FetchPartition().setPartitionMaxBytes(10 << 20)))));
    }

    private static List<PartitionProduceResponse> answers(Wire wire, ProduceRequestData request) throws IOException {
        ProduceResponseData response = (ProduceResponseData) wire.ask(ApiKeys.PRODUCE, VERSION, request);
        return response.responses().iterator().next().partitionResponses();
    }

    /** A request with one batch for each partition from 0. */
    private static ProduceRequestData produce(short acks, ByteBuffer... batches) {
        List<PartitionProduceData> partitions = new ArrayList<>();
        for (ByteBuffer batch : batches) {
            partitions.add(new PartitionProduceData()
                    .setIndex(partitions.size())
                    .setRecords(MemoryRecords.readableRecords(batch)));
        }
        TopicProduceData topic = new TopicProduceData().setName("there").setPartitionData(partitions);
        return new ProduceRequestData()
                .setAcks(acks)
                .setTopicData(new TopicProduceDataCollection(List.of(topic).iterator()));
    }

    private static ByteBuffer batch(Consumer<ByteBuffer> damage) {
        ByteBuffer bytes = MemoryRecords.withRecords(
                        Compression.NONE, new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)))
                .buffer();
        damage.accept(bytes);
        return bytes;
    }

    /** Corrects the checksum. */
    private static void reseal(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(ATTRIBUTES_AT));
        bytes.putInt(CRC_AT, (int) crc.getValue());
    }
}

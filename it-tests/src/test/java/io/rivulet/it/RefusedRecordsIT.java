package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A refused batch names the records that are the reason, as Kafka does. */
@SeveralBrokers
final class RefusedRecordsIT {
    private static final short VERSION = 9;
    private static final long NO_TIMESTAMP = -1;
    private static final long HOUR_MILLIS = 3_600_000;

    @TempDir
    private Path directory;

    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory);
        try (Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(
                            topic("recent", Map.of("message.timestamp.before.max.ms", "60000")),
                            topic("appended", Map.of("message.timestamp.type", "LogAppendTime")),
                            topic("keyed", Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
        }
    }

    private static NewTopic topic(String name, Map<String, String> configs) {
        return new NewTopic(name, 1, (short) 1).configs(configs);
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    static List<Compression> codecs() {
        return List.of(Compression.NONE, Compression.gzip().build());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void everyRecordOutOfTheBoundsOfTimeIsNamed(Compression codec) throws Exception {
        long now = System.currentTimeMillis();

        PartitionProduceResponse answer = produce(
                "recent", codec, now, now - HOUR_MILLIS, NO_TIMESTAMP, now + 2 * HOUR_MILLIS, now - HOUR_MILLIS);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_TIMESTAMP);
        assertThat(answer.errorMessage()).isNotEmpty();
        assertThat(answer.recordErrors())
                .extracting(BatchIndexAndErrorMessage::batchIndex)
                .containsExactly(1, 3, 4);
        assertThat(answer.recordErrors())
                .allSatisfy(
                        record -> assertThat(record.batchIndexErrorMessage()).contains("timestamp"));
    }

    /** The first and the largest timestamp are right. */
    @ParameterizedTest
    @MethodSource("codecs")
    void oneRecordInTheMiddleThatIsTooOldIsEnough(Compression codec) throws Exception {
        long now = System.currentTimeMillis();

        PartitionProduceResponse answer = produce("recent", codec, now, now - 2 * HOUR_MILLIS, now + 1);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_TIMESTAMP);
        assertThat(answer.recordErrors())
                .singleElement()
                .satisfies(record -> assertThat(record.batchIndex()).isEqualTo(1));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void recordsWithoutATimestampAndThoseOfATopicWithTheTimeOfTheAppendAreStored(Compression codec) throws Exception {
        long now = System.currentTimeMillis();

        assertThat(Errors.forCode(produce("recent", codec, now, NO_TIMESTAMP).errorCode()))
                .isEqualTo(Errors.NONE);
        assertThat(Errors.forCode(produce("recent", codec, NO_TIMESTAMP).errorCode()))
                .isEqualTo(Errors.NONE);
        assertThat(Errors.forCode(
                        produce("appended", codec, 1, now + 9 * HOUR_MILLIS).errorCode()))
                .isEqualTo(Errors.NONE);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void everyRecordWithoutAKeyOfACompactedTopicIsNamed(Compression codec) throws Exception {
        long now = System.currentTimeMillis();
        SimpleRecord keyed = new SimpleRecord(now, "k".getBytes(UTF_8), "v".getBytes(UTF_8));
        SimpleRecord unkeyed = new SimpleRecord(now, "v".getBytes(UTF_8));

        PartitionProduceResponse answer =
                produce("keyed", MemoryRecords.withRecords(codec, keyed, unkeyed, keyed, unkeyed));

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_RECORD);
        assertThat(answer.errorMessage()).isNotEmpty();
        assertThat(answer.recordErrors())
                .extracting(BatchIndexAndErrorMessage::batchIndex)
                .containsExactly(1, 3);
    }

    /** An answer stays small, whatever a client sends. */
    @Test
    void atMostAThousandRecordsAreNamed() throws Exception {
        long[] timestamps = IntStream.range(0, 3000).mapToLong(i -> 1 + i).toArray();

        PartitionProduceResponse answer = produce("recent", Compression.NONE, timestamps);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_TIMESTAMP);
        assertThat(answer.recordErrors()).hasSize(1000);
    }

    private PartitionProduceResponse produce(String topic, Compression codec, long... timestamps) throws IOException {
        SimpleRecord[] records = new SimpleRecord[timestamps.length];
        for (int i = 0; i < records.length; i++) {
            records[i] = new SimpleRecord(timestamps[i], "k".getBytes(UTF_8), "v".getBytes(UTF_8));
        }
        return produce(topic, MemoryRecords.withRecords(codec, records));
    }

    private PartitionProduceResponse produce(String topic, MemoryRecords records) throws IOException {
        TopicProduceDataCollection topics = new TopicProduceDataCollection();
        topics.add(new TopicProduceData()
                .setName(topic)
                .setPartitionData(List.of(new PartitionProduceData().setIndex(0).setRecords(records))));
        ProduceRequestData request =
                new ProduceRequestData().setAcks((short) -1).setTimeoutMs(1000).setTopicData(topics);
        try (Wire wire = new Wire(broker)) {
            ProduceResponseData answer = (ProduceResponseData) wire.ask(ApiKeys.PRODUCE, VERSION, request);
            return answer.responses().iterator().next().partitionResponses().get(0);
        }
    }
}
